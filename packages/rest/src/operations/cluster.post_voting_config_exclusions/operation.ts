/** `cluster.post_voting_config_exclusions`: excludes nodes from the voting configuration and waits until they have left it. */
import {
  resolveNodes,
  resolveVotingExclusions,
  type ClusterState,
  type VotingExclusion,
} from "@orrery/cluster-state";
import { illegalArgument, OperationError } from "@orrery/stdx";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, list, onDemand } from "../../parameters.ts";

const managerTimeoutMs = 30_000;

export const clusterPostVotingConfigExclusions: Operation = defineOperation({
  group: "cluster.post_voting_config_exclusions",
  permission: "cluster:admin/voting_config/add_exclusions",
  routes: ["POST /_cluster/voting_config_exclusions"],
  query: {
    node_ids: list([]),
    node_names: list([]),
    node_name: onDemand(list([])),
    timeout: duration("30s"),
  },
  deviations: [
    {
      kind: "parameter",
      name: "node_name",
      reason: "deprecated and not in the description; the product takes it",
    },
  ],

  async handle({ query, request }, cluster) {
    const given = [query.node_ids, query.node_names, query.node_name].filter(
      (names) => names.length > 0,
    );
    if (given.length !== 1) {
      throw illegalArgument(
        "Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set",
      );
    }
    if (query.node_name.length > 0)
      request.warn(
        "nodeDescription is deprecated and will be removed, use nodeIds or nodeNames instead",
      );
    if (query.timeout < 0) throw illegalArgument("timeout [-1] must be non-negative");
    const exclusions = exclusionsOf(await cluster.managerState(managerTimeoutMs), query);
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit(
      { kind: "add-voting-config-exclusions", exclusions },
      { ackTimeoutMs: query.timeout, priority: "URGENT" },
    );
    // The applied state changes before Raft's configuration does. A node may be stopped only after Raft's
    // configuration has followed.
    const isOut = (state: ClusterState): boolean => {
      const { current, former } = cluster.votingConfigurations();
      const wanted = state.metadata.coordination.votingConfiguration;
      const voters = new Set<string>([...wanted, ...current, ...former]);
      return exclusions.every(({ nodeId }) => !voters.has(nodeId));
    };
    const { timedOut } = await cluster.stateWhen(isOut, query.timeout);
    if (timedOut) throw timeout(exclusions);
    return { text: "", contentType: "application/json; charset=UTF-8" };
  },
});

function exclusionsOf(
  state: ClusterState,
  query: {
    readonly node_ids: readonly string[];
    readonly node_names: readonly string[];
    readonly node_name: readonly string[];
  },
): readonly VotingExclusion[] {
  const nodeIds =
    query.node_name.length > 0 ? resolveNodes(state, query.node_name) : query.node_ids;
  const exclusions = resolveVotingExclusions(state, { nodeIds, nodeNames: query.node_names });
  if (exclusions.length > 0 || query.node_name.length === 0) return exclusions;
  const names = query.node_name.join(", ");
  throw illegalArgument(
    `add voting config exclusions request for [${names}] matched no cluster-manager-eligible nodes`,
  );
}

function timeout(exclusions: readonly VotingExclusion[]): OperationError {
  const names = exclusions.map(({ nodeId, nodeName }) => `{${nodeName}}{${nodeId}}`).join(", ");
  const reason = `timed out waiting for voting config exclusions [${names}] to take effect`;
  return new OperationError({ type: "timeout_exception", reason, status: 500 });
}
