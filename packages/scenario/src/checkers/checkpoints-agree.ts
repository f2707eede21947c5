/**
 * INV-REPL-7: once the cluster has healed and no client writes, every copy of a shard has every operation: its local
 * checkpoint, and the global checkpoint it knows, equal the highest sequence number of all copies. All open indices are
 * judged (open-indices.ts).
 *
 * A copy that was removed, or whose node left, stays in the in-sync set until the next write, as in the product
 * (`ReplicationOperation.markUnavailableInSyncShardsAsStale`). The primary may not know that such a copy has the last
 * operations, and holds back the global checkpoint; the global checkpoint is not judged meanwhile.
 */
import { greatest, isJsonObject, type Json } from "@orrery/stdx";
import type { Plan } from "../plan.ts";
import { newClient, type Client, type ClusterView, type World } from "../world.ts";
import { at } from "./answers.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";
import { nothingToCompare, openIndices } from "./open-indices.ts";

const LOOK_EVERY_MS = 500;

export const checkpointsAgree: Checker = {
  name: "checkpoints-agree",
  invariant: "INV-REPL-7",
  says: "Once the cluster has healed, the checkpoints of every copy of a shard equal its highest sequence number.",
  excusedBy: ["rot"],
  complaint: nothingToCompare,
  finish: (world, plan) => untilCheckpointsAgree(world, plan),
};

/** Disagreement that remains when the plan's time to converge has passed. */
export async function untilCheckpointsAgree(world: World, plan: Plan): Promise<Finding> {
  const client = newClient("checkpoints");
  const untilMs = world.nowMs() + plan.phases.convergeMs;
  for (;;) {
    const finding = await disagreement(world, plan, client);
    if (finding === undefined || world.nowMs() >= untilMs) return finding;
    // A global checkpoint reaches replicas with the next operation, or by a background sync a little later.
    await world.sleep(LOOK_EVERY_MS);
  }
}

/** Disagreement between the copies of an index at the moment. */
async function disagreement(world: World, plan: Plan, client: Client): Promise<Finding> {
  for (const { name: index, node, view } of await openIndices(world, plan)) {
    const answer = await world.request(client, node, {
      method: "GET",
      uri: `/${encodeURIComponent(index)}/_stats/docs?level=shards&filter_path=indices.*.shards.*.seq_no,indices.*.shards.*.routing`,
      timeoutMs: 30_000,
    });
    const shards = at(at(at(answer?.body, "indices"), index), "shards");
    if (!isJsonObject(shards))
      return `no statistics of [${index}]: ${JSON.stringify(answer?.body ?? "no answer")}`;
    for (const [shard, copies] of Object.entries(shards)) {
      const isWaiting = hasInSyncWithoutCopy(view, index, Number(shard));
      const says = compare(Array.isArray(copies) ? copies : [], isWaiting ? OWN : ALL);
      if (says !== undefined)
        return concerning(`${index}/${shard}: ${says}`, { index, shard: Number(shard) });
    }
  }
  return undefined;
}

/** Values that a copy determines itself. */
const OWN = ["max_seq_no", "local_checkpoint"];
/** The same values, and the global checkpoint, which the primary reports to a copy. */
const ALL = [...OWN, "global_checkpoint"];

function hasInSyncWithoutCopy(
  { indices, shards }: ClusterView,
  index: string,
  shard: number,
): boolean {
  const copies = shards.filter((copy) => copy.index === index && copy.shard === shard);
  const inSync = indices.get(index)?.inSync[shard] ?? [];
  return inSync.some((id) => !copies.some(({ allocationId }) => allocationId === id));
}

function compare(copies: readonly Json[], names: readonly string[]): string | undefined {
  const numbers = copies.map((copy) => at(copy, "seq_no"));
  const highest = Math.max(-1, greatest(numbers.map((one) => Number(at(one, "max_seq_no") ?? -1))));
  for (const [i, one] of numbers.entries()) {
    for (const name of names) {
      const value = at(one, name);
      if (value === highest) continue;
      return `${name} of the copy on [${String(at(at(copies[i], "routing"), "node"))}] is ${String(value)}, and the highest sequence number is ${highest}`;
    }
  }
  return undefined;
}
