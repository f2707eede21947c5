/**
 * Steps that the space-time diagram of a report shows: those around the links of a cause, else around the first fault or
 * the end. Rows between them are left out, and counted.
 */
import type { Cause } from "../cause/cause.ts";
import type { Finding, StoredFault } from "../types.ts";
import type { Step, Window } from "./run-data.ts";

/** Time range of which steps are shown. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  /** Moment in the range that is shown in any case. */
  readonly aroundMs: number;
}

/** Steps shown for one range, and in all. */
const MOST_OF_RANGE = 60;
const MOST_STEPS = 240;
const BEFORE_MS = 60;
const AFTER_MS = 90;

export interface Ranges {
  readonly ranges: readonly Range[];
  /** Reason for choosing these steps, as the report's caption. */
  readonly why: string;
}

export function rangesOf(
  cause: Cause | undefined,
  findings: readonly Finding[],
  faults: readonly StoredFault[],
  endMs: number,
): Ranges {
  const around = (aroundMs: number, beforeMs = BEFORE_MS, afterMs = AFTER_MS): Range => ({
    ...{ fromMs: aroundMs - beforeMs, toMs: aroundMs + afterMs, aroundMs },
  });
  if (cause !== undefined)
    return {
      ranges: cause.links.map(({ atMs }) => around(atMs)),
      why: "the steps around the links of the cause",
    };
  const [finding] = findings;
  if (finding !== undefined)
    return { ranges: [around(finding.atMs, WIDE_MS)], why: "the steps before the first finding" };
  const [fault] = faults;
  if (fault === undefined)
    return { ranges: [around(endMs, WIDE_MS)], why: "nothing failed: the last steps" };
  return {
    ranges: [fault.fromMs, fault.toMs ?? fault.fromMs].map((atMs) =>
      around(atMs, BEFORE_MS, WIDE_MS),
    ),
    why: "nothing failed: the steps around the first fault",
  };
}

/** Margin around the only time of interest. */
const WIDE_MS = 400;

interface Candidate {
  readonly step: Step;
  /** The step touches what the finding concerns. */
  readonly isConcerned: boolean;
}

export interface StepCollector {
  /** Adds the next step of the run. */
  add(atMs: number, isConcerned: boolean, step: () => Step): void;
  shown(): Window;
}

/** Collects the steps of the ranges; of a range with too many, those that touch the finding and are near to its moment. */
export function createStepCollector({ ranges, why }: Ranges): StepCollector {
  const kept: Candidate[][] = ranges.map(() => []);
  const counts = { all: 0 };
  /** All steps of a short run. */
  let whole: Step[] | undefined = [];
  return {
    add: (atMs, isConcerned, make) => {
      counts.all += 1;
      whole = counts.all > MOST_STEPS ? undefined : whole;
      whole?.push(make());
      const place = ranges.findIndex(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
      const list = kept[place];
      if (list === undefined) return;
      const { aroundMs } = ranges[place] as Range;
      list.push({ step: make(), isConcerned });
      if (list.length > 8 * MOST_OF_RANGE) kept[place] = nearest(list, aroundMs, 4 * MOST_OF_RANGE);
    },
    shown: () => {
      if (whole !== undefined) return { steps: whole, why: "all steps of the run", leftOut: 0 };
      const most = Math.min(MOST_OF_RANGE, Math.floor(MOST_STEPS / Math.max(1, ranges.length)));
      const limit = ranges.length === 1 ? MOST_STEPS / 2 : most;
      const steps = kept.flatMap((list, i) => nearest(list, ranges[i]?.aroundMs ?? 0, limit));
      const inOrder = steps.map(({ step }) => step).toSorted((a, b) => a.seq - b.seq);
      return { steps: inOrder, why, leftOut: counts.all - inOrder.length };
    },
  };
}

/** The candidates that matter most, in their order. */
function nearest(list: readonly Candidate[], aroundMs: number, most: number): Candidate[] {
  if (list.length <= most) return [...list];
  const distance = ({ step, isConcerned }: Candidate): number =>
    Math.abs(step.atMs - aroundMs) * (isConcerned ? 1 : FAR);
  return list
    .toSorted((a, b) => distance(a) - distance(b) || a.step.seq - b.step.seq)
    .slice(0, most);
}

/** Factor by which steps that the finding does not concern count as farther away. */
const FAR = 20;
