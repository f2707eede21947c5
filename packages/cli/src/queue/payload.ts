/**
 * Payload of a job. A worker believes nothing of it: shape, sizes and build are checked before anything runs, and texts by
 * their hashes.
 */
import { createHash } from "node:crypto";
import { LARGEST_FILE_BYTES } from "@orrery/scenario";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { ScenarioFile } from "../scenario-file.ts";

/** Run of one scenario under several seeds. */
export interface SweepPayload extends Origin {
  readonly kind: "sweep";
  /** Name of the scenario where the sweep was started. */
  readonly file: string;
  readonly scenario: TextHashes;
  readonly seeds: readonly number[];
  readonly isTwice: boolean;
}

/** Trial of an exploration, or the shrinking of one that failed. The plan is checked by its own parser. */
export interface ExplorePayload extends Origin {
  readonly kind: "explore";
  readonly action: "run" | "shrink";
  readonly sketch: JsonObject;
  readonly seed: number;
  /** Wall time for shrinking. */
  readonly budgetMs: number;
}

export type Payload = SweepPayload | ExplorePayload;

interface Origin {
  readonly build: string;
  /** Id of the sweep or exploration. */
  readonly owner: string;
  /** Wall time after which a run counts as hanging. */
  readonly limitMs: number;
}

/** Hashes of the texts of a scenario and of the files that it names. */
export interface TextHashes {
  readonly source: string;
  readonly files: readonly (readonly [name: string, hash: string])[];
}

export const MOST_SEEDS = 1000;
/** Size limit of a text; the parser of scenarios has a lower one for those. */
export const MOST_TEXT_BYTES: number = LARGEST_FILE_BYTES;
/** Size limit of all texts of a scenario. */
export const MOST_TOTAL_BYTES: number = 4 * MOST_TEXT_BYTES;
export const MOST_FILES = 64;
const MOST_NAME_CHARACTERS = 4096;
const MOST_SKETCH_CHARACTERS = 1 << 20;
const LONGEST_LIMIT_MS = 3_600_000;

/** Reason of a job whose owner has no record. An owner that comes back, as its server did, puts the job on it again. */
export const OWNER_GONE = "the owner of the job is gone";

export interface Refusal {
  readonly refusal: string;
}

/** Payload of this build; else a sentence that tells why the job is refused. */
export function readPayload(data: unknown, build: string): Payload | Refusal {
  if (!isJsonObject(data as Json)) return { refusal: "the job is refused: its data is no object" };
  const json = data as JsonObject;
  if (json["build"] !== build)
    return {
      refusal: `the job is refused: it is of version [${shown(json["build"])}] of orrery, and this worker is [${build}]`,
    };
  const payload = json["kind"] === "explore" ? exploreOf(json) : sweepOf(json);
  return typeof payload === "string"
    ? { refusal: `the job is refused: its data has no valid [${payload}]` }
    : payload;
}

/** The payload, or the name of its first invalid member. */
function sweepOf(json: JsonObject): SweepPayload | string {
  const origin = originOf(json);
  if (typeof origin === "string") return origin;
  const { kind, file, scenario, seeds, isTwice } = json;
  if (kind !== "sweep") return "kind";
  if (!isName(file)) return "file";
  const hashes = hashesOf(scenario);
  if (hashes === undefined) return "scenario";
  if (!Array.isArray(seeds) || seeds.length === 0 || seeds.length > MOST_SEEDS) return "seeds";
  const numbers = seeds as readonly Json[];
  if (!numbers.every(isSeed) || new Set(numbers).size !== numbers.length) return "seeds";
  if (typeof isTwice !== "boolean") return "isTwice";
  return { ...origin, kind, file, scenario: hashes, seeds: numbers, isTwice };
}

function exploreOf(json: JsonObject): ExplorePayload | string {
  const origin = originOf(json);
  if (typeof origin === "string") return origin;
  const { action, sketch, seed, budgetMs } = json;
  if (action !== "run" && action !== "shrink") return "action";
  if (sketch === undefined || !isJsonObject(sketch)) return "sketch";
  if (JSON.stringify(sketch).length > MOST_SKETCH_CHARACTERS) return "sketch";
  if (!isSeed(seed)) return "seed";
  if (!isTime(budgetMs)) return "budgetMs";
  return { ...origin, kind: "explore", action, sketch, seed, budgetMs };
}

function originOf({ build, owner, limitMs }: JsonObject): Origin | string {
  if (typeof build !== "string") return "build";
  if (typeof owner !== "string" || !/^[\w-]{1,64}$/.test(owner)) return "owner";
  if (!isTime(limitMs)) return "limitMs";
  return { build, owner, limitMs };
}

function hashesOf(json: Json | undefined): TextHashes | undefined {
  if (json === undefined || !isJsonObject(json)) return undefined;
  const { source, files } = json;
  if (!isHash(source) || !Array.isArray(files) || files.length > MOST_FILES) return undefined;
  const pairs = (files as readonly Json[]).map((pair): readonly [string, string] | undefined => {
    const [name, hash] = Array.isArray(pair) ? (pair as readonly Json[]) : [];
    return isName(name) && isHash(hash) ? [name, hash] : undefined;
  });
  const whole = pairs.filter((pair) => pair !== undefined);
  return whole.length === pairs.length ? { source, files: whole } : undefined;
}

function isSeed(json: Json | undefined): json is number {
  return Number.isSafeInteger(json) && Number(json) >= 0;
}

function isTime(json: Json | undefined): json is number {
  return Number.isSafeInteger(json) && Number(json) > 0 && Number(json) <= LONGEST_LIMIT_MS;
}

function isName(json: Json | undefined): json is string {
  return typeof json === "string" && json !== "" && json.length <= MOST_NAME_CHARACTERS;
}

function isHash(json: Json | undefined): json is string {
  return typeof json === "string" && /^[\da-f]{64}$/.test(json);
}

function shown(json: Json | undefined): string {
  return typeof json === "string" ? json.slice(0, 100) : "unknown";
}

/** Hashes of a scenario's texts; the texts are added to `texts` by their hashes. */
export function hashesOfScenario(
  { source, files }: Pick<ScenarioFile, "source" | "files">,
  texts: Map<string, string>,
): TextHashes {
  const add = (text: string): string => {
    const hash = hashOf(text);
    texts.set(hash, text);
    return hash;
  };
  return { source: add(source), files: [...files].map(([name, text]) => [name, add(text)]) };
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
