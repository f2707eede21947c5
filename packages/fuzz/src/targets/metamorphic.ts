/**
 * Target: the same requests in several arrangements of nodes and in every world must have equal answers, except for
 * placement.
 */
import { socketTransports } from "@orrery/scenario";
import { drawCase, shrinkCase, type MetamorphicCase } from "../metamorphic/generate.ts";
import { judgeCase, judgeInProcesses } from "../metamorphic/judge.ts";
import { openProcesses } from "../metamorphic/processes.ts";
import { describeAsked } from "../metamorphic/request.ts";
import { defineTarget, type Target } from "../target.ts";

export const metamorphic: Target = defineTarget<MetamorphicCase>({
  worlds: ["sim", "memory", ...socketTransports],
  casesPerSession: 20,
  hangMs: 60_000,
  generate: drawCase,
  open: async (options) => {
    const { seed, world } = options;
    if (world === "sim")
      return { run: (given) => judgeCase(given, seed), close: async () => undefined };
    const processes = await openProcesses(options);
    return {
      run: (given) => judgeInProcesses(given, seed, processes),
      close: () => processes.stop(),
    };
  },
  shrink: shrinkCase,
  describe: ({ requests }) => requests.map(describeAsked).join("; ").slice(0, 2000),
  family: ({ requests }) => String(requests.length),
});
