/** Fault that makes retention leases expire. */
import { duration, must, or, text } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { bestView } from "../selectors.ts";

export interface LeaseExpiry {
  readonly kind: "lease-expiry";
  readonly index: string;
  readonly byMs: number;
}

/** Default of `index.soft_deletes.retention_lease.period`, 12 h, and one hour more. */
const PERIOD_MS = 13 * 3_600_000;

export const leaseExpiry: FaultRow<LeaseExpiry> = {
  family: "cluster",
  says: "Makes the retention leases of an index expire: the clocks of its primaries' nodes jump, and the sync of leases is dropped.",
  keys: {
    index: must(text, "index with the leases"),
    byMs: or(duration, PERIOD_MS, "offset of the clocks; more than the period of the leases"),
  },
  needs: ["clock-jump", "drop"],
  casualties: ["leases"],
  draw: (scene) => ({ index: scene.index().name, byMs: PERIOD_MS }),
  inject: async ({ index, byMs: offsetMs }, world) => {
    const clusters = [...new Set(world.nodes().map((node) => world.clusterOf(node)))];
    const views = await Promise.all(clusters.map((name) => bestView(world, name)));
    const copies = views.flatMap((view) => view?.shards ?? []);
    const nodes = new Set(
      copies.flatMap((copy) => (copy.index === index && copy.isPrimary ? (copy.node ?? []) : [])),
    );
    const links = { from: [...nodes], to: world.nodes(), both: true };
    const jumps = [...nodes].map((node) => world.applyRule({ kind: "clock-jump", node, offsetMs }));
    const drop = await world.applyRule({
      kind: "drop",
      links,
      actions: ["indices:admin/seq_no/retention_lease_sync*"],
      perMille: 1000,
    });
    const jumped = combined([...nodes], await Promise.all(jumps));
    return {
      ...jumped,
      end: async () => {
        await drop.end();
        await jumped.end();
      },
    };
  },
};
