/**
 * Parts of a sweep that ran on several machines: what each printed with `--json`, saved in a file or taken from a log.
 * Lines that are no record of a run are ignored, since a log has others as well.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { greatest, isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { UsageError } from "../usage.ts";
import { readCause } from "./causes.ts";
import { BUDGET_USED, type Summary, type SweptRun } from "./totals.ts";

export interface CollectedParts {
  /** Each run once. A seed whose runs differ between parts is a failure. */
  readonly runs: readonly SweptRun[];
  /** Number of runs that all parts together planned for each file. */
  readonly planned: ReadonlyMap<string, number>;
  /** Wall time of the longest part. */
  readonly wallMs: number;
  /** Sentences about missing and unfinished parts. */
  readonly troubles: readonly string[];
}

interface Part {
  readonly name: string;
  readonly runs: readonly SweptRun[];
  readonly summary: Summary | undefined;
}

/** Reads the files, and those of folders with the suffixes of saved output. Throws `UsageError` if there is no part. */
export function collectParts(paths: readonly string[]): CollectedParts {
  const parts = paths.flatMap(filesOf).map(readPart).filter(isPart);
  if (parts.length === 0)
    throw new UsageError(
      `no part of a sweep in [${paths.join(", ")}]: a part is the output of [orrery sweep --json], saved as .ndjson, .jsonl or .log`,
    );
  const runs = merged(parts);
  const summaries = parts.map(({ summary }) => summary).filter((one) => one !== undefined);
  const shards = shardsOf(summaries);
  return {
    runs,
    planned: plannedBy(parts),
    wallMs: Math.max(0, greatest(summaries.map(({ wall_ms: wallMs }) => wallMs))),
    troubles: [
      ...parts.flatMap(unfinished),
      ...shards.flatMap(({ of, files, numbers }) =>
        Array.from({ length: of }, (_, i) => i + 1)
          .filter((number) => !numbers.has(number))
          .map((number) => `part ${number}/${of} of ${filesInWords(files)} has no summary`),
      ),
    ],
  };
}

function unfinished({ name, runs, summary }: Part): readonly string[] {
  if (summary === undefined) return [`[${name}] has no summary: its sweep did not end`];
  const { passed, failed, inconclusive } = summary;
  const reported = passed + failed + inconclusive;
  const { left_out: reason = BUDGET_USED, not_run: notRun } = summary;
  return [
    // Logs of containers are cut when they are long.
    ...(runs.length === reported
      ? []
      : [
          `[${name}] has ${runs.length} of ${reported} runs: its beginning or other lines are lost`,
        ]),
    ...(reason === BUDGET_USED ? [] : [`[${name}] left out ${notRun} runs: ${reason}`]),
  ];
}

/** Shards that have a summary, of a sweep of that many seeds. */
interface Shards {
  readonly of: number;
  readonly seeds: number;
  readonly files: readonly string[];
  readonly numbers: ReadonlySet<number>;
}

function filesInWords([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? `[${first}]` : `[${first}] and ${others.length} more`;
}

function shardsOf(summaries: readonly Summary[]): readonly Shards[] {
  const found = new Map<string, Shards>();
  for (const { shard } of summaries) {
    if (shard === undefined) continue;
    const { number, of, seeds, files } = shard;
    const key = JSON.stringify([of, seeds, files]);
    const numbers = new Set(found.get(key)?.numbers).add(number);
    found.set(key, { of, seeds, files, numbers });
  }
  return [...found.values()];
}

/** A sweep runs the seeds from 1 on, so two parts of one file that are no shards planned the same ones. */
function plannedBy(parts: readonly Part[]): ReadonlyMap<string, number> {
  const planned = new Map<string, number>();
  for (const { runs, summary } of parts) {
    const files = new Set(runs.map(({ file }) => file));
    for (const file of files) {
      const own = runs.filter((run) => run.file === file).length;
      const whole = Math.round((runs.length + (summary?.not_run ?? 0)) / files.size);
      const count = Math.max(own, summary?.shard?.seeds ?? whole);
      planned.set(file, Math.max(planned.get(file) ?? 0, count));
    }
  }
  return planned;
}

const SUFFIX = /\.(ndjson|jsonl|log)$/;

function filesOf(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`there is no file or folder [${path}]`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => SUFFIX.test(name))
    .toSorted()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

function readPart(name: string): Part {
  const runs: SweptRun[] = [];
  let summary: Summary | undefined;
  for (const line of readFileSync(name, "utf8").split("\n")) {
    const record = recordOf(line);
    if (record?.["event"] === "verdict") {
      const run = runOf(record);
      if (run !== undefined) runs.push(run);
    }
    if (record?.["event"] === "summary") summary = summaryIn(record) ?? summary;
  }
  return { name, runs, summary };
}

function isPart({ runs, summary }: Part): boolean {
  return runs.length > 0 || summary !== undefined;
}

function recordOf(line: string): JsonObject | undefined {
  // Logs of containers may have a time before each line.
  const at = line.indexOf('{"event":');
  if (at === -1) return undefined;
  try {
    const json = JSON.parse(line.slice(at)) as Json;
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Run of a record as `orrery sweep --json` prints it; `undefined` if a member is missing. */
function runOf(json: JsonObject): SweptRun | undefined {
  const { event: _, cause: given, ...record } = json;
  const cause = readCause(given);
  const { file, seed, verdict, hash, wall_ms: wallMs, why, replay } = record;
  const areTexts = [file, hash, why, replay].every((text) => typeof text === "string");
  const isVerdict = verdict === "pass" || verdict === "fail" || verdict === "inconclusive";
  if (!areTexts || !isVerdict || typeof wallMs !== "number" || !Number.isSafeInteger(seed))
    return undefined;
  return { ...(record as object as SweptRun), ...(cause === undefined ? {} : { cause }) };
}

function summaryIn(record: JsonObject): Summary | undefined {
  const { passed, failed, inconclusive, not_run: notRun, wall_ms: wallMs, shard } = record;
  // Explorations end with a summary, too.
  const figures = [passed, failed, inconclusive, notRun, wallMs];
  if (!figures.every((one) => typeof one === "number")) return undefined;
  const { shard: __, ...rest } = record;
  return { ...(rest as object as Summary), ...(isShard(shard) ? { shard } : {}) };
}

/** Limit of parts, each of which is named if it is missing. */
const MOST_PARTS = 10_000;

function isShard(json: Json | undefined): json is JsonObject & NonNullable<Summary["shard"]> {
  if (json === undefined || !isJsonObject(json)) return false;
  const { number, of, seeds, files } = json;
  return (
    [number, of, seeds].every((one) => Number.isSafeInteger(one) && Number(one) > 0) &&
    Number(of) <= MOST_PARTS &&
    Array.isArray(files) &&
    files.every((file) => typeof file === "string")
  );
}

/** Runs of all parts, each seed of a scenario once. A part that was run again repeats the runs of the first attempt. */
function merged(parts: readonly Part[]): readonly SweptRun[] {
  const runs = new Map<string, { readonly run: SweptRun; readonly name: string }>();
  for (const { name, runs: own } of parts) {
    for (const run of own) {
      const key = `${run.seed} ${run.file}`;
      const known = runs.get(key);
      if (known === undefined) runs.set(key, { run, name });
      else if (known.run.hash !== run.hash || known.run.verdict !== run.verdict) {
        const why = `the same seed gave the hash ${known.run.hash} in [${known.name}], and ${run.hash} in [${name}]`;
        runs.set(key, { run: { ...run, verdict: "fail", why }, name });
      }
    }
  }
  return [...runs.values()].map(({ run }) => run).toSorted((a, b) => a.seed - b.seed);
}
