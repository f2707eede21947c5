/** Target: invalid and unusual scenario files and written plans. */
import { drawScenario } from "../scenario/generate.ts";
import { judgeScenario, type ScenarioCase } from "../scenario/judge.ts";
import { shrinkScenario } from "../scenario/shrink.ts";
import { defineTarget, type Target } from "../target.ts";

export const scenario: Target = defineTarget<ScenarioCase>({
  worlds: ["sim"],
  casesPerSession: 200,
  hangMs: 60_000,
  generate: drawScenario,
  open: async ({ seed }) => ({
    run: (given) => judgeScenario(given, seed),
    close: async () => undefined,
  }),
  shrink: shrinkScenario,
  describe: ({ kind, text }) => `${kind} ${JSON.stringify(text.slice(0, 300))}`,
  family: ({ kind }) => kind,
});
