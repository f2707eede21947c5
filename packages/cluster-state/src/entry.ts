/**
 * Log entries: the unit that the elected cluster manager proposes and every node applies. One entry makes one version.
 *
 * INV-COORD-3: application depends on nothing but the state, the entry, its position and the rules, which are equal on
 * every node. Clocks, random ids and placement decisions are inputs of the proposer and lie in the entry.
 */
import { createRandom, newUuid } from "@orrery/stdx";
import { applyTask, type Task } from "./task.ts";
import type {
  ClusterState,
  IndexMetadata,
  IndexRoutingTable,
  LogPosition,
  RoutingDelta,
  ShardRouting,
} from "./types.ts";
import type { Rules } from "./rules.ts";

/**
 * The contents of a log entry: tasks, and the allocator's decision on the state after them. `term` is that of the
 * resulting state; default: the term of the entry's log position.
 */
export interface LogEntry {
  readonly term?: number;
  readonly tasks: readonly Task[];
  readonly routing?: RoutingDelta;
}

/**
 * The state after the entry: tasks in order, then the routing delta, then the version if anything changed; the same
 * state otherwise. A task that its reducer rejects changes nothing, here as on the proposer.
 */
export function applyEntry(
  state: ClusterState,
  entry: LogEntry,
  position: LogPosition,
  rules: Rules,
): ClusterState {
  const changed = applyTasks(state, entry.tasks, rules);
  const routed = entry.routing === undefined ? changed : applyRoutingDelta(changed, entry.routing);
  return routed === state ? state : withVersion(state, routed, entry.term, position);
}

function applyTasks(state: ClusterState, tasks: readonly Task[], rules: Rules): ClusterState {
  let next = state;
  for (const task of tasks) {
    const outcome = applyTask(next, task, rules);
    if (outcome.kind === "updated") next = outcome.state;
  }
  return next;
}

function withVersion(
  before: ClusterState,
  after: ClusterState,
  term: number | undefined,
  position: LogPosition,
): ClusterState {
  const { metadata } = after;
  // The state uuid is derived from the log position, so that it is equal on every node without being in the entry.
  const seed = `${metadata.clusterUuid}/${position.term}/${position.index}`;
  return {
    ...after,
    version: before.version + 1,
    stateUuid: newUuid(createRandom(seed)),
    term: term ?? position.term,
    metadata:
      metadata === before.metadata
        ? metadata
        : { ...metadata, version: before.metadata.version + 1 },
  };
}

/** The state with the delta's rows, primary terms and in-sync sets; `version` does not change. Parts about indices that are gone are ignored. */
export function applyRoutingDelta(state: ClusterState, delta: RoutingDelta): ClusterState {
  const routingTable = withRows(state, delta);
  const indices = withTermsAndInSync(state.metadata.indices, delta);
  if (routingTable === state.routingTable && indices === state.metadata.indices) return state;
  const metadata =
    indices === state.metadata.indices ? state.metadata : { ...state.metadata, indices };
  return { ...state, metadata, routingTable };
}

function withRows(state: ClusterState, delta: RoutingDelta): ClusterState["routingTable"] {
  const next = new Map(state.routingTable);
  let isChanged = false;
  for (const table of delta.indices) {
    if (!isIndex(state, table.index, table.uuid)) continue;
    next.set(table.index, table);
    isChanged = true;
  }
  const changed = new Map<string, (readonly ShardRouting[])[]>();
  for (const { index, uuid, shard, copies } of delta.shards ?? []) {
    const table = next.get(index);
    if (table?.shards[shard] === undefined || !isIndex(state, index, uuid)) continue;
    const shards = changed.get(index) ?? [...table.shards];
    shards[shard] = copies;
    if (!changed.has(index)) next.set(index, { ...table, shards });
    changed.set(index, shards);
    isChanged = true;
  }
  return isChanged ? next : state.routingTable;
}

function isIndex(state: ClusterState, name: string, uuid: IndexRoutingTable["uuid"]): boolean {
  return state.metadata.indices.get(name)?.uuid === uuid;
}

function withTermsAndInSync(
  indices: ReadonlyMap<string, IndexMetadata>,
  { terms, inSync }: RoutingDelta,
): ReadonlyMap<string, IndexMetadata> {
  const touched = new Set([...terms, ...inSync].map(({ index }) => index));
  if (touched.size === 0) return indices;
  const next = new Map(indices);
  for (const name of touched) {
    const metadata = indices.get(name);
    if (metadata === undefined) continue;
    const primaryTerms = [...metadata.primaryTerms];
    for (const { index, shard, primaryTerm } of terms) {
      if (index === name) primaryTerms[shard] = primaryTerm;
    }
    const inSyncAllocationIds = [...metadata.inSyncAllocationIds];
    for (const { index, shard, allocationIds } of inSync) {
      if (index === name) inSyncAllocationIds[shard] = allocationIds;
    }
    const version = metadata.version + 1;
    next.set(name, { ...metadata, version, primaryTerms, inSyncAllocationIds });
  }
  return next;
}
