/**
 * Failures of a sweep grouped by their probable cause: the checker, the kind of thing that it names, and the fault that
 * is most likely to blame.
 */
import type { TimedVerdict } from "../recorded-run.ts";
import type { SweptRun } from "./totals.ts";

/** Probable cause of one failure. */
export interface FailureCause {
  /** Name of the checker, `run` if the run itself failed. */
  readonly checker: string;
  readonly invariant?: string;
  /** Kind of the first thing that the finding names, such as `document`. */
  readonly subject?: string;
  /** Kind of the fault that is most likely to blame. */
  readonly fault?: string;
}

/** Cause as another program wrote it; `undefined` if the value is none. */
export function readCause(value: unknown): FailureCause | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { checker, ...more } = value as FailureCause;
  const texts = [checker, ...Object.values(more)];
  return texts.every((text) => typeof text === "string") ? { checker, ...more } : undefined;
}

/** Failures of one cause, the first one first. */
export interface FailureGroup {
  readonly cause: FailureCause;
  readonly runs: readonly SweptRun[];
}

/** Cause of a run that did not pass; `undefined` if it passed. */
export function causeOfFailure(verdict: TimedVerdict): FailureCause | undefined {
  const [finding] = verdict.findings;
  if (finding === undefined)
    return verdict.verdict === "pass" ? undefined : { checker: "inconclusive" };
  const { checker = "run", invariant, subjects = [], atMs } = finding;
  const [subject] = subjects;
  const kinds = ["document", "shard", "index", "term", "node"] as const;
  const kind = kinds.find((one) => subject?.[one] !== undefined);
  const fault = faultBefore(verdict, atMs, subject?.sentMs);
  return {
    checker,
    ...(invariant === undefined ? {} : { invariant }),
    ...(kind === undefined ? {} : { subject: kind }),
    ...(fault === undefined ? {} : { fault }),
  };
}

/**
 * Kind of the fault that is most likely to blame: the first one since the operation was sent, else the last one before
 * the finding. A fault that lasts at the end of the run has no receipt, but an event.
 */
function faultBefore(
  { receipts, last_events: last }: TimedVerdict,
  atMs: number,
  sentMs: number | undefined,
): string | undefined {
  const lasting = last.flatMap((line) => {
    const event = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return event["kind"] === "fault-started"
      ? [{ fault: String(event["fault"]), startedMs: Number(event["at_ms"]), endedMs: atMs }]
      : [];
  });
  const before = [...receipts, ...lasting]
    .filter(({ startedMs }) => startedMs <= atMs)
    .toSorted((a, b) => a.startedMs - b.startedMs);
  const since = sentMs === undefined ? undefined : before.find(({ endedMs }) => endedMs >= sentMs);
  return (since ?? before.at(-1))?.fault;
}

/** Groups the runs that did not pass, the largest group first. */
export function groupsOf(runs: readonly SweptRun[]): readonly FailureGroup[] {
  const groups = new Map<string, { readonly cause: FailureCause; readonly runs: SweptRun[] }>();
  for (const run of runs.toSorted((a, b) => a.seed - b.seed)) {
    if (run.verdict === "pass") continue;
    const cause = run.cause ?? { checker: "run" };
    // The sentence tells failures apart that no checker found, or that name nothing.
    const words = cause.subject === undefined ? templateOf(run.why) : "";
    const { checker, subject = "", fault = "" } = cause;
    const key = [checker, subject, fault, words].join("|");
    const group = groups.get(key) ?? { cause, runs: [] };
    groups.set(key, group);
    group.runs.push(run);
  }
  return [...groups.values()].toSorted((a, b) => b.runs.length - a.runs.length);
}

/** Sentence without names and numbers. Its expressions take linear time, as the words may be those of a hostile scenario. */
function templateOf(why: string): string {
  return why
    .replaceAll(/\[[^[\]]*\]/g, "[]")
    .replaceAll(/[\w-]+/g, (word) => (/\d/.test(word) ? "#" : word));
}

/** Cause in words: `no-acknowledged-write-lost (INV-DATA-1) of a document, after the fault crash`. */
export function causeWords({ checker, invariant, subject, fault }: FailureCause): string {
  const id = invariant === undefined ? "" : ` (${invariant})`;
  const of = subject === undefined ? "" : ` of ${subject === "index" ? "an" : "a"} ${subject}`;
  return `${checker}${id}${of}${fault === undefined ? "" : `, after the fault ${fault}`}`;
}

const MOST_SEEDS = 8;

/** Seeds of a group: `seeds 1, 4, 9 and 3 more`. */
export function seedWords(runs: readonly SweptRun[]): string {
  const seeds = [...new Set(runs.map(({ seed }) => seed))];
  const shown = seeds.slice(0, MOST_SEEDS).join(", ");
  const more = seeds.length > MOST_SEEDS ? ` and ${seeds.length - MOST_SEEDS} more` : "";
  return `${seeds.length === 1 ? "seed" : "seeds"} ${shown}${more}`;
}
