/** Teller of a run: it listens to the run, shows its progress on a terminal, and prints its story at the end. */
import { judgesOf, type WorldName } from "@orrery/scenario";
import { createPaint } from "./colours.ts";
import { lab } from "./lab.ts";
import type { StoryListener, TimedVerdict } from "./recorded-run.ts";
import type { ScenarioFile } from "./scenario-file.ts";
import { createStatusLine } from "./status-line.ts";
import { linesOf } from "./told-run.ts";

export interface Teller {
  readonly listener: StoryListener;
  endProgress(): void;
  /** Lines to print; called once, after the run. */
  tell(verdict: TimedVerdict, bundle: string | undefined): Promise<readonly string[]>;
}

export async function createTeller({ plan }: ScenarioFile, world: WorldName): Promise<Teller> {
  const { causeOf, createEvidence, createStory, secondsOf, counted } =
    await import("@orrery/bundle");
  const story = createStory();
  const evidence = createEvidence();
  const status = createStatusLine();
  const startedAt = performance.now();
  // The simulation does not yield to timers, and ends sooner than anyone reads.
  const timer =
    world === "sim"
      ? undefined
      : setInterval(() => {
          const elapsed = secondsOf(performance.now() - startedAt);
          const latest = story.latest();
          status.show(
            `${plan.name} over ${world}, ${elapsed}${latest === "" ? "" : `: ${latest}`}`,
          );
        }, LOOK_EVERY_MS);
  return {
    listener: {
      event: (event) => {
        story.event(event);
        evidence.event(event);
      },
      state: (atMs, state) => {
        story.state(atMs, state);
        evidence.state(atMs, state);
      },
    },
    endProgress: () => {
      clearInterval(timer);
      status.clear();
    },
    tell: async (verdict, bundle) => {
      const paint = createPaint(process.stdout, process.env);
      const judges = judgesOf(plan, lab.checkers);
      const [finding] = verdict.findings;
      const cause = finding && causeOf(finding, evidence)?.links.map(({ says }) => says);
      const told = { plan, verdict, story: story.end(), judges, cause: cause ?? [], bundle };
      return linesOf(told, { secondsOf, counted }, paint);
    },
  };
}

const LOOK_EVERY_MS = 200;
