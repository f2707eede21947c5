/**
 * Makes a follower index a normal one, in two steps: when every node has applied the first no primary takes anything of the
 * leader any more, and only then clients may write. Works without the leader. Source: `TransportStopIndexReplicationAction`.
 */
import type { PluginNode } from "@orrery/node";
import { problemIn } from "../problems.ts";
import { replicationTask } from "../state/reducers.ts";
import { followingOf } from "../state/section.ts";
import { askLease } from "./leader-client.ts";
import { reopen } from "./reopen.ts";

export async function stopFollowing(
  { cluster }: PluginNode,
  follower: string,
): Promise<{ readonly acknowledged: boolean }> {
  const following = followingOf(cluster.state(), follower);
  await cluster.submit(replicationTask("replication/detach", { follower }));
  const index = cluster.state().metadata.indices.get(follower);
  if (index !== undefined && following !== undefined) {
    // Best effort: a lease that is left expires by itself.
    const removals = Array.from({ length: index.numberOfShards }, (_, shard) =>
      askLease(cluster, "removeLease", following, { shard, retainingSeqNo: 0 }),
    );
    for (const removal of removals) {
      void removal.catch((error: unknown) => {
        cluster.log("debug", `lease of [${follower}]: ${problemIn(error).reason}`);
      });
    }
  }
  if (following?.task === "RESTORING" && index !== undefined) {
    const nowMs = cluster.clock.nowMs();
    await cluster.submit({ kind: "delete-index", index: follower, uuid: index.uuid, nowMs });
  }
  await reopen(cluster, follower);
  return cluster.submit(replicationTask("replication/release", { follower }));
}
