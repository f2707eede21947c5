/** A cluster for allocation tests: a state that reroutes are applied to, and nodes that start what they are given. */
import {
  coreRules,
  allCopies,
  applyRoutingDelta,
  applyTask,
  completeIndexSettings,
  initialState,
  type ClusterState,
  type DiscoveryNode,
  type SettingsChange,
  type ShardRouting,
  type Task,
} from "@orrery/cluster-state";
import type { AllocationId, IndexUuid, NodeId } from "@orrery/stdx";
import {
  reroute,
  shardKey,
  type AllocationInputs,
  type RerouteResult,
  type ShardStores,
  type StoredCopy,
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
    roles: ["cluster_manager", "data"],
    attributes: {},
    version: "3.8.0",
    ...rest,
  };
}

export interface World {
  state: ClusterState;
  nowMs: number;
  nextId: number;
  /** What is on disks, by `shardKey`, then node. */
  readonly disks: Map<string, Map<NodeId, StoredCopy>>;
}

export function world(...nodes: readonly DiscoveryNode[]): World {
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error("a cluster has a node");
  const made: World = { state: initialState("test"), nowMs: 1000, nextId: 1, disks: new Map() };
  apply(made, {
    kind: "become-cluster-manager",
    node: first,
    joined: [],
    clusterUuid: "cluster-uuid",
  });
  for (const other of others) apply(made, { kind: "node-join", node: other });
  apply(made, { kind: "recover-state", nowMs: 1 });
  return made;
}

/** The task's change, without a reroute. */
export function apply(made: World, task: Task): void {
  const outcome = applyTask(made.state, task, coreRules);
  if (outcome.kind === "rejected") throw new Error(`${task.kind}: ${outcome.error.reason}`);
  if (outcome.kind === "updated") made.state = outcome.state;
}

export function inputsOf(made: World, rest: Partial<AllocationInputs> = {}): AllocationInputs {
  return {
    nowMs: made.nowMs,
    newAllocationId: () => {
      made.nextId += 1;
      return `a${made.nextId}` as AllocationId;
    },
    shardStores: storesOf(made),
    ...rest,
  };
}

/** Every live node has answered for every shard. */
function storesOf(made: World): ReadonlyMap<string, ShardStores> {
  const stores = new Map<string, ShardStores>();
  const answeredNodeIds = [...made.state.nodes.keys()];
  for (const { index, shards } of made.state.routingTable.values()) {
    for (const shard of shards.keys()) {
      const key = shardKey(index, shard);
      const stored = [...(made.disks.get(key)?.values() ?? [])].filter(({ nodeId }) =>
        made.state.nodes.has(nodeId),
      );
      stores.set(key, { answeredNodeIds, pendingNodeIds: [], copies: stored });
    }
  }
  return stores;
}

export function step(made: World, rest: Partial<AllocationInputs> = {}): RerouteResult {
  const result = reroute(made.state, inputsOf(made, rest));
  if (result.delta !== undefined) {
    const applied = applyRoutingDelta(made.state, result.delta);
    if (applied.routingTable.size !== result.state.routingTable.size) throw new Error("delta");
  }
  made.state = result.state;
  return result;
}

export function copies(made: World): readonly ShardRouting[] {
  return [...allCopies(made.state)];
}

export function initializing(made: World): readonly ShardRouting[] {
  return copies(made).filter(({ state }) => state === "INITIALIZING");
}

/** Nodes have recovered these copies and have them on disk now. */
export function start(made: World, started: readonly ShardRouting[]): RerouteResult {
  for (const copy of started) {
    if (copy.nodeId === undefined) throw new Error("an unassigned copy does not start");
    const key = shardKey(copy.index, copy.shard);
    const disks = made.disks.get(key) ?? new Map<NodeId, StoredCopy>();
    made.disks.set(
      key,
      disks.set(copy.nodeId, {
        nodeId: copy.nodeId,
        allocationId: copy.allocationId,
        wasPrimary: copy.primary,
        files: [{ name: "_0.cfs", lengthBytes: 100, checksum: "c" }],
      }),
    );
  }
  return step(made, { started });
}

/** Reroutes and starts until nothing recovers any more; the number of rounds. */
export function settle(made: World): number {
  step(made);
  for (let round = 0; round < 300; round += 1) {
    const recovering = initializing(made);
    if (recovering.length === 0) return round;
    start(made, recovering);
  }
  throw new Error("copies keep moving");
}

export function createIndex(
  made: World,
  name: string,
  shards: number,
  replicas: number,
  requested: SettingsChange = {},
): void {
  const uuid = `${name}-uuid` as IndexUuid;
  const settings = completeIndexSettings(made.state, {
    name,
    uuid,
    creationDateMs: made.nowMs,
    requested: {
      "index.number_of_shards": String(shards),
      "index.number_of_replicas": String(replicas),
      ...requested,
    },
  });
  apply(made, {
    kind: "create-index",
    name,
    uuid,
    creationDateMs: made.nowMs,
    settings,
    mapping: {},
    aliases: {},
  });
}

export function leave(made: World, nodeId: NodeId): RerouteResult {
  apply(made, { kind: "node-left", nodeId, reason: "disconnected" });
  return step(made);
}

export function setCluster(made: World, transient: SettingsChange): void {
  apply(made, { kind: "update-cluster-settings", persistent: {}, transient });
}

/** `[index][shard]` to nodes, primary first, by name: `n1 n3`. */
export function layout(made: World): Readonly<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const { index, shards } of made.state.routingTable.values()) {
    for (const [shard, row] of shards.entries()) {
      const names = row.map(({ nodeId, state }) => {
        const name = nodeId === undefined ? "-" : made.state.nodes.get(nodeId)?.name;
        return state === "STARTED" || nodeId === undefined ? name : `${name}(${state})`;
      });
      rows[`${index}/${shard}`] = names.join(" ");
    }
  }
  return rows;
}

export function inSync(made: World, index: string, shard: number): readonly AllocationId[] {
  return made.state.metadata.indices.get(index)?.inSyncAllocationIds[shard] ?? [];
}

export function termOf(made: World, index: string, shard: number): number {
  return made.state.metadata.indices.get(index)?.primaryTerms[shard] ?? -1;
}
