/**
 * INV-DATA-7: once the cluster has healed, the copies of a shard agree on the operation under each sequence number that
 * both retain: kind, id, version, primary term and content, including deletes and no-ops, which no search shows.
 */
import type { Plan } from "../plan.ts";
import type { CopyHistory, World } from "../world.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";
import { untilCheckpointsAgree } from "./checkpoints-agree.ts";
import { isBuilt, openIndices } from "./open-indices.ts";

export const copiesShareTheirHistory: Checker = {
  name: "copies-share-their-history",
  invariant: "INV-DATA-7",
  says: "Copies of a shard retain the same operation under each sequence number, including deletes, no-ops and terms.",
  excusedBy: ["rot"],
  complaint: ({ indices }) =>
    indices.some(({ replicas }) => replicas > 0) ? undefined : "no index has a second copy",
  isAlways: true,
  finish: async (world, plan) => {
    const finding = await difference(world, plan);
    if (finding === undefined) return undefined;
    // Operations in flight would differ between copies.
    await untilCheckpointsAgree(world, plan);
    return difference(world, plan);
  },
};

async function difference(world: World, plan: Plan): Promise<Finding> {
  for (const { name: index, cluster, view } of await openIndices(world, plan)) {
    const copies = (await world.histories?.(cluster, index)) ?? [];
    const started = copies.filter(({ shard, node }) =>
      view.shards.some(
        (copy) =>
          copy.index === index && copy.shard === shard && copy.node === node && isBuilt(copy.state),
      ),
    );
    for (const copy of started) {
      const first = started.find(({ shard }) => shard === copy.shard);
      const says = first === undefined ? undefined : compareHistories(first, copy);
      if (says === undefined || first === undefined) continue;
      const { shard, node } = copy;
      return concerning(`${index}/${shard}: ${says}`, [
        { index, shard, node: first.node },
        { index, shard, node },
      ]);
    }
  }
  return undefined;
}

/** Difference between two histories in the sequence numbers that both retain, in a sentence. */
export function compareHistories(left: CopyHistory, right: CopyHistory): string | undefined {
  const from = Math.max(left.fromSeqNo, right.fromSeqNo);
  for (const [seqNo, operation] of [...left.operations, ...right.operations]) {
    if (seqNo < from) continue;
    const [ours, theirs] = [left.operations.get(seqNo), right.operations.get(seqNo)];
    if (ours === operation && theirs === operation) continue;
    return `under sequence number ${seqNo} ${left.node} keeps ${ours ?? "nothing"}, and ${right.node} ${theirs ?? "nothing"}`;
  }
  return undefined;
}
