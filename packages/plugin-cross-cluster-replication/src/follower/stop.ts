/**
 * Stops replication in two steps, so that the leader and clients never write concurrently: when all nodes have
 * applied the first, no primary applies operations of the leader; the second admits clients. Works without the
 * leader. Source: `TransportStopIndexReplicationAction`.
 */
import type { PluginNode } from "@orrery/node";
import { problemIn } from "../problems.ts";
import { replicationTask } from "../state/reducers.ts";
import { followingOf } from "../state/section.ts";
import { requestLease } from "./leader-client.ts";
import { reopen } from "./reopen.ts";

/** Makes the follower index a normal one. An index whose restore was unfinished is deleted. */
export async function stopFollowing(
  { cluster }: PluginNode,
  follower: string,
): Promise<{ readonly acknowledged: boolean }> {
  const following = followingOf(cluster.state(), follower);
  await cluster.submit(replicationTask("replication/detach", { follower }));
  const index = cluster.state().metadata.indices.get(follower);
  if (index !== undefined && following !== undefined) {
    // Best effort: a lease that is not removed expires.
    const removals = Array.from({ length: index.numberOfShards }, (_, shard) =>
      requestLease(cluster, "removeLease", following, { shard, retainingSeqNo: 0 }),
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
