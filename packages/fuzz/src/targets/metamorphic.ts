/** The same requests on one, three and five nodes, and over a slow network: the answers are the same but for placement. */
import { drawCase, shrinkCase, type MetamorphicCase } from "../metamorphic/generate.ts";
import { judgeCase } from "../metamorphic/judge.ts";
import { describeAsked } from "../metamorphic/request.ts";
import { defineTarget, type Target } from "../target.ts";

export const metamorphic: Target = defineTarget<MetamorphicCase>({
  worlds: ["sim"],
  casesPerSession: 20,
  hangMs: 60_000,
  generate: drawCase,
  open: async ({ seed }) => ({
    run: (given) => judgeCase(given, seed),
    close: async () => undefined,
  }),
  shrink: shrinkCase,
  describe: ({ requests }) => requests.map(describeAsked).join("; ").slice(0, 2000),
  family: ({ requests }) => String(requests.length),
});
