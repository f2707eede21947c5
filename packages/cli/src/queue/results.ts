/** Results of jobs, as a worker returns them. Their shape is checked, since any program may write to a queue. */
import type { Finding } from "@orrery/scenario";
import { isJsonObject, type Json } from "@orrery/stdx";
import { readCause } from "../sweep/causes.ts";
import type { TaskResult } from "../sweep/messages.ts";
import type { TaskResult as ExploreResult } from "../explore/messages.ts";

const VERDICTS: readonly TaskResult["verdict"][] = ["pass", "fail", "inconclusive"];

/** Results of a job's seeds in their order; `undefined` if the value is anything else. */
export function readSweepResults(
  value: unknown,
  seeds: readonly number[],
): readonly TaskResult[] | undefined {
  if (!Array.isArray(value) || value.length !== seeds.length) return undefined;
  const results = (value as readonly Json[]).map((json, i) => resultOf(json, seeds[i]));
  const whole = results.filter((result) => result !== undefined);
  return whole.length === results.length ? whole : undefined;
}

function resultOf(json: Json, wanted: number | undefined): TaskResult | undefined {
  if (!isJsonObject(json)) return undefined;
  // A path of another machine is of no use here.
  const { seed, verdict: name, hash, wall_ms: wallMs, why, cause: given } = json;
  const cause = readCause(given);
  const verdict = VERDICTS.find((one) => one === name);
  if (seed !== wanted || verdict === undefined) return undefined;
  if (typeof hash !== "string" || !/^[\da-f]{0,64}$/.test(hash)) return undefined;
  if (typeof wallMs !== "number" || typeof why !== "string") return undefined;
  return { ...(cause === undefined ? {} : { cause }), verdict, hash, wall_ms: wallMs, why };
}

/** Result of an exploration's job; `undefined` if the value is anything else. */
export function readExploreResult(value: unknown): ExploreResult | undefined {
  if (!isObject(value)) return undefined;
  const result = value as ExploreResult;
  switch (result.kind) {
    case "broken":
      return typeof result.why === "string" ? result : undefined;
    case "run": {
      const { verdict, hash, events, wall_ms: wallMs, tuples, came } = result;
      const isWhole =
        VERDICTS.includes(verdict) &&
        typeof hash === "string" &&
        typeof events === "number" &&
        typeof wallMs === "number" &&
        areTexts(tuples) &&
        isObject(came) &&
        Object.values(came).every((count) => typeof count === "number");
      return isWhole && isFinding(result.finding ?? NO_FINDING) ? result : undefined;
    }
    case "shrink": {
      const { sketch, seed, runs, finding, last } = result;
      const isWhole =
        isObject(sketch) &&
        Number.isSafeInteger(seed) &&
        typeof runs === "number" &&
        areTexts(last);
      return isWhole && isFinding(finding) ? result : undefined;
    }
    default:
      return undefined;
  }
}

const NO_FINDING = { says: "", atMs: 0 };

function isFinding(json: unknown): boolean {
  if (!isObject(json)) return false;
  const { says, atMs, invariant, checker } = json as Partial<Finding>;
  const isText = (one: unknown): boolean => one === undefined || typeof one === "string";
  return (
    typeof says === "string" && typeof atMs === "number" && isText(invariant) && isText(checker)
  );
}

function isObject(value: unknown): boolean {
  return isJsonObject(value as Json);
}

function areTexts(json: unknown): boolean {
  return Array.isArray(json) && json.every((text) => typeof text === "string");
}
