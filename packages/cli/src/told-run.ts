/** Story of a run as `orrery run` prints it: claim, moments, what clients received, verdict, question. */
import type { EndedStory } from "@orrery/bundle";
import type { Plan } from "@orrery/scenario";
import { greatest } from "@orrery/stdx";
import type { Paint } from "./colours.ts";
import type { TimedVerdict } from "./recorded-run.ts";
import { verdictLine } from "./verdict-line.ts";
import { wrapped } from "./wrapped.ts";

/** Checker that judged the run, with the meaning of its invariant. */
export interface Judge {
  readonly name: string;
  readonly invariant: string;
  readonly says: string;
}

export interface ToldRun {
  readonly plan: Plan;
  readonly verdict: TimedVerdict;
  readonly story: EndedStory;
  readonly judges: readonly Judge[];
  /** How a violation came about, in sentences; empty if it is not known. */
  readonly cause: readonly string[];
  /** Path of the bundle, if the run was recorded. */
  readonly bundle: string | undefined;
}

/** Words of a moment's time and numbers, from the package that tells stories. */
export interface StoryWords {
  readonly secondsOf: (ms: number) => string;
  readonly counted: (count: number, noun: string) => string;
}

export function linesOf(told: ToldRun, words: StoryWords, paint: Paint): readonly string[] {
  const { plan, verdict, story } = told;
  const { secondsOf, counted } = words;
  const longest = Math.max(6, greatest(story.moments.map(({ atMs }) => secondsOf(atMs).length)));
  const moments = story.moments.flatMap(({ atMs, says }) => {
    const [first = "", ...more] = wrapped(says, `  ${secondsOf(atMs).padStart(longest)}  `);
    const time = first.slice(0, longest + 2);
    return [paint("soft", time) + first.slice(time.length), ...more];
  });
  const left =
    story.leftOut === 0
      ? []
      : [paint("soft", `  ${counted(story.leftOut, "less important moment")} left out`)];
  return [
    ...wrapped(plan.claim, ""),
    ...(plan.notice === undefined ? [] : wrapped(plan.notice, "Notice: ")),
    "",
    ...moments,
    ...left,
    "",
    ...writesLine(verdict, counted),
    `${paint(styles[verdict.verdict], "●")} ${verdictLine(verdict)}`,
    ...meaning(told, paint),
    ...(plan.question === undefined ? [] : ["", ...wrapped(plan.question, "Question: ")]),
    ...hint(told),
  ];
}

const styles = { pass: "good", fail: "bad", inconclusive: "doubtful" } as const;

function writesLine(verdict: TimedVerdict, counted: StoryWords["counted"]): readonly string[] {
  const { acknowledged, failed_writes: failed, unanswered_writes: unanswered } = verdict;
  if (acknowledged + failed + unanswered === 0) return [];
  const parts = [
    `${counted(acknowledged, "write")} acknowledged`,
    ...(failed === 0 ? [] : [`${failed.toLocaleString("en")} failed`]),
    ...(unanswered === 0 ? [] : [`${unanswered.toLocaleString("en")} without an answer`]),
  ];
  return [parts.join(", ")];
}

/** Invariants that a passing run names; the others are counted. */
const MOST_INVARIANTS = 4;

/** Meaning of the verdict: the violated invariant, the reasons of doubt, or the invariants that held. */
function meaning({ verdict, judges, cause }: ToldRun, paint: Paint): readonly string[] {
  const { findings, doubts } = verdict;
  if (verdict.verdict === "inconclusive")
    return doubts.flatMap((doubt) => wrapped(doubt, "  proves little: "));
  if (verdict.verdict === "pass") return held(judges);
  const [first] = findings;
  if (first === undefined) return [];
  const judge = judges.find(({ name }) => name === first.checker);
  const who = [first.invariant, first.checker].filter((part) => part !== undefined).join(", ");
  const [says = "", ...rest] = first.says.split("\n");
  const others = findings.slice(1).map(({ checker = "", says: more }) => `${checker}: ${more}`);
  return [
    ...wrapped(says, who === "" ? "  " : `  ${who}: `).map((line) => paint("bad", line)),
    ...rest.slice(0, MOST_STACK).map((line) => `  ${line}`),
    ...(judge === undefined ? [] : wrapped(judge.says, "  The invariant: ")),
    ...(cause.length === 0 ? [] : ["  How it came about:"]),
    ...cause.flatMap((sentence, i) => wrapped(sentence, `    ${i + 1}. `)),
    ...others.flatMap((other) => wrapped(other, "  also ")),
  ];
}

/** Lines of a program error's stack. */
const MOST_STACK = 6;

function held(judges: readonly Judge[]): readonly string[] {
  if (judges.length === 0) return [];
  const shown = judges.slice(0, MOST_INVARIANTS);
  const more = judges.length - shown.length;
  return [
    ...shown.flatMap(({ invariant, says }) => wrapped(says, `  held: ${invariant.padEnd(13)}  `)),
    ...(more === 0 ? [] : [`  and ${more} more ${more === 1 ? "invariant" : "invariants"}`]),
  ];
}

/** Commands to look into a run that did not pass. */
function hint({ verdict, bundle }: ToldRun): readonly string[] {
  if (verdict.verdict === "pass") return [];
  if (bundle === undefined)
    return [
      "",
      "With [--record BUNDLE] every event is kept, for [orrery report] and [orrery trace].",
    ];
  return ["", `[orrery report ${bundle}] draws it, [orrery trace ${bundle}] prints its events.`];
}
