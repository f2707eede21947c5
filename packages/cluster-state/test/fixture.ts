/** States for tests: nodes by name, indices by a few numbers. */
import type { IndexUuid, NodeId } from "@orrery/stdx";
import {
  coreRules,
  applyTask,
  completeIndexSettings,
  initialState,
  type ClusterState,
  type CreateIndex,
  type DiscoveryNode,
  type Outcome,
  type SettingsChange,
  type Task,
} from "../src/index.ts";

export function node(name: string, rest: Partial<DiscoveryNode> = {}): DiscoveryNode {
  return {
    id: `${name}-id` as NodeId,
    name,
    ephemeralId: `${name}-ephemeral`,
    hostName: "127.0.0.1",
    hostAddress: "127.0.0.1",
    transportAddress: `${name}:9300`,
    httpAddress: `${name}:9200`,
    roles: ["cluster_manager", "data", "ingest", "remote_cluster_client"],
    attributes: {},
    version: "3.8.0",
    ...rest,
  };
}

/** The state after the task, which must change it. */
export function after(state: ClusterState, task: Task): ClusterState {
  const outcome = applyTask(state, task, coreRules);
  if (outcome.kind !== "updated") throw new Error(`${task.kind}: ${JSON.stringify(outcome)}`);
  return outcome.state;
}

export function reasonOf(outcome: Outcome): string | null {
  if (outcome.kind !== "rejected") throw new Error(`not rejected: ${outcome.kind}`);
  return outcome.error.reason;
}

/** A recovered cluster; the first node is elected. */
export function cluster(...nodes: readonly DiscoveryNode[]): ClusterState {
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error("a cluster has a node");
  let state = after(initialState("test"), {
    kind: "become-cluster-manager",
    node: first,
    joined: [],
    clusterUuid: "cluster-uuid",
  });
  for (const other of others) state = after(state, { kind: "node-join", node: other });
  return after(state, { kind: "recover-state", nowMs: 1 });
}

export function creation(
  state: ClusterState,
  name: string,
  requested: SettingsChange = {},
  rest: Partial<CreateIndex> = {},
): CreateIndex {
  const uuid = `${name}-uuid` as IndexUuid;
  const creationDateMs = 1000;
  return {
    kind: "create-index",
    name,
    uuid,
    creationDateMs,
    settings: completeIndexSettings(state, { name, uuid, creationDateMs, requested }),
    mapping: {},
    aliases: {},
    ...rest,
  };
}

export function withNewIndex(
  state: ClusterState,
  name: string,
  requested: SettingsChange = {},
  rest: Partial<CreateIndex> = {},
): ClusterState {
  return after(state, creation(state, name, requested, rest));
}
