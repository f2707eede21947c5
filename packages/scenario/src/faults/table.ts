/** Every fault by its kind: how it is read from a file, and how it is done. A new kind does not compile without its row. */
import { readInteger, readDuration, readText, type Fields } from "../fields.ts";
import type { World } from "../world.ts";
import { crash } from "./crash.ts";
import { degrade } from "./degrade.ts";
import type { EndFault, Fault, Inject } from "./fault.ts";
import { partition } from "./partition.ts";

interface Row<Kind extends Fault> {
  readonly keys: readonly string[];
  /** Those of the keys that name nodes. */
  readonly selectorKeys: readonly string[];
  readonly parse: (fields: Fields) => Kind;
  readonly inject: Inject<Kind>;
}

type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;

export const faults: { readonly [Kind in Fault["kind"]]: Row<FaultOf<Kind>> } = {
  crash: {
    keys: ["node"],
    selectorKeys: ["node"],
    parse: (fields) => ({ kind: "crash", node: readText(fields, "node") }),
    inject: crash,
  },
  partition: {
    keys: ["isolate"],
    selectorKeys: ["isolate"],
    parse: (fields) => ({ kind: "partition", isolate: readText(fields, "isolate") }),
    inject: partition,
  },
  "degrade-network": {
    keys: ["delay", "loss_per_mille", "duplicate_per_mille", "reorder_per_mille"],
    selectorKeys: [],
    parse: (fields) => ({
      kind: "degrade-network",
      delayMs: readDuration(fields, "delay", 0),
      lossPerMille: readInteger(fields, "loss_per_mille", { low: 0, high: 1000, otherwise: 0 }),
      duplicatePerMille: readInteger(fields, "duplicate_per_mille", {
        low: 0,
        high: 1000,
        otherwise: 0,
      }),
      reorderPerMille: readInteger(fields, "reorder_per_mille", {
        low: 0,
        high: 1000,
        otherwise: 0,
      }),
    }),
    inject: degrade,
  },
};

export function inject<Kind extends Fault["kind"]>(fault: FaultOf<Kind>, world: World): EndFault {
  const row: Row<FaultOf<Kind>> = faults[fault.kind];
  return row.inject(fault, world);
}
