/** Target: invalid transport frames, and frames from peers that are no nodes. */
import { socketTransports } from "@orrery/scenario";
import { defineTarget, type Target } from "../target.ts";
import type { TransportCase } from "../transport/case.ts";
import { generateVisit } from "../transport/generate.ts";
import { openLive } from "../transport/live.ts";
import { openSimulated } from "../transport/simulated.ts";

export const transport: Target = defineTarget<TransportCase>({
  worlds: ["sim", ...socketTransports],
  casesPerSession: 300,
  casesTogether: 25_000,
  generate: generateVisit,
  open: (options) => (options.world === "sim" ? openSimulated(options) : openLive(options)),
  *shrink(given) {
    const { said } = given;
    for (const [i] of said.entries()) yield { ...given, said: said.filter((_, at) => at !== i) };
    for (const [i, one] of said.entries()) {
      if (one.kind === "frame" && one.flips.length > 0)
        yield { ...given, said: said.with(i, { ...one, flips: [] }) };
    }
  },
  describe: ({ visitor, channel, node, said, raw }) =>
    `${raw === undefined ? visitor : `${raw.kind} ${raw.count}`} at node-${node} on [${channel}]: ${said
      .map((one) => (one.kind === "bytes" ? "bytes" : `${one.header.kind} ${one.header.action}`))
      .join(", ")}`.slice(0, 300),
  family: ({ visitor, said, raw }) => {
    if (raw !== undefined) return raw.kind;
    const last = said.at(-1);
    return `${visitor} ${last?.kind === "frame" ? (last.header.action ?? "").slice(0, 60) : "bytes"}`;
  },
});
