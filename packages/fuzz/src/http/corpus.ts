/**
 * Corpus of valid requests: recorded ones if the folder `shared/recorded` lies beside the project, those of the
 * operations' stories, and those built from routes, parameters and `bodies.ts`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations, type Operation } from "@orrery/rest";
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import { parse } from "yaml";
import { product } from "../product.ts";
import { documents, fields, aggregations, queries } from "./bodies.ts";
import { readTree } from "../json/json-text.ts";
import type { Vocabulary } from "../json/mutate-json.ts";

export interface Seed {
  readonly method: string;
  readonly uri: string;
  readonly body: string;
  readonly isLines: boolean;
}

export interface Corpus {
  readonly seeds: readonly Seed[];
  readonly operations: readonly Operation[];
  readonly words: Vocabulary;
}

const root = join(import.meta.dirname, "../../../..");
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"];

/** Limit of requests from one file: the longest have thousands of one kind. */
const MOST_OF_A_FILE = 200;
const LARGEST_SEED = 20_000;

let corpus: Corpus | undefined;

/** Reads the corpus once for a process; it is the same for every seed. */
export function readCorpus(): Corpus {
  corpus ??= load();
  return corpus;
}

function load(): Corpus {
  const seeds = [...recorded(), ...stories()].filter(({ body }) => body.length <= LARGEST_SEED);
  const parts = [...queries, ...aggregations, ...documents, ...seeds.flatMap(partsOf)];
  const added = product.plugins.flatMap(
    (plugin) => (plugin.operations ?? []) as readonly Operation[],
  );
  return { seeds, operations: [...operations, ...added], words: { fields, parts } };
}

/** Values one and two levels below the body: queries, aggregations, settings. */
function partsOf({ body, isLines }: Seed): Json[] {
  const tree = isLines ? undefined : readTree(body);
  if (!isJsonObject(tree)) return [];
  return Object.values(tree).flatMap((value) => (isJsonObject(value) ? [value] : []));
}

function recorded(): Seed[] {
  const folder = join(root, "../shared/recorded");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  return files.toSorted().flatMap((file) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean);
    return lines.slice(0, MOST_OF_A_FILE).flatMap((line) => seedOf(JSON.parse(line) as Recorded));
  });
}

interface Recorded {
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

function seedOf({ request }: Recorded): Seed[] {
  if (request?.method === undefined) return [];
  const { method, path, body = "", headers = {} } = request;
  const type = headers["content-type"] ?? "";
  return [
    {
      method,
      uri: path,
      body,
      isLines: type.includes("ndjson") || /\/_bulk|\/_msearch/.test(path),
    },
  ];
}

function stories(): Seed[] {
  const folder = join(root, "packages/rest/src/operations");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("stories.yaml"))
    .toSorted()
    .flatMap((file) =>
      (parse(readFileSync(join(folder, file), "utf8")) as Story[]).flatMap(stepsOf),
    );
}

interface Story {
  readonly before?: readonly JsonObject[];
  readonly when: JsonObject;
}

function stepsOf({ before = [], when }: Story): Seed[] {
  return [...before, when].flatMap((step) =>
    METHODS.flatMap((method): Seed[] => {
      const uri = lookup(step, method);
      if (typeof uri !== "string") return [];
      const lines = step["ndjson"];
      const isLines = Array.isArray(lines);
      const one = step["text"] ?? (step["body"] === undefined ? "" : JSON.stringify(step["body"]));
      const many = isLines
        ? (lines as readonly Json[]).map((line) => `${JSON.stringify(line)}\n`).join("")
        : "";
      return [{ method, uri, body: isLines ? many : String(one), isLines }];
    }),
  );
}
