/**
 * The order in which the copies of a shard are tried: by `preference`, else by the weights of zones, else copies in
 * the coordinating node's own zone first (unless awareness attributes are ignored), else by adaptive replica
 * selection.
 *
 * Source: `OperationRouting`, `Preference`; error messages are the product's.
 */
import {
  awarenessAttributes,
  clusterSetting,
  copiesOf,
  isActive,
  resolveNodes,
  withNodeSettings,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { hashRouting, illegalArgument, lookup, type NodeId } from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import { shardName } from "./shard-key.ts";
import type { ReplicaSelection } from "./replica-selection.ts";
import { preferenceNotAllowed, rotated, weightsIn } from "./weights.ts";

/** The copies of each shard in the order of attempts, for one request. */
export interface CopyOrder {
  /** Whether the shard is in the list of the preference `_shards:`; true for all shards without that preference. */
  isWanted(shard: number): boolean;
  /** Active copies that the preference permits, best first; empty without one. Initializing copies are never read. */
  copies(index: string, shard: number): readonly ShardRouting[];
}

/**
 * Upper bound of a random rotation: far more than the number of copies, so that each copy is first with nearly equal
 * probability.
 */
const MAX_ROTATION = 0xffff;

type Arrange = (
  copies: readonly ShardRouting[],
  shard: number,
  index: string,
) => readonly ShardRouting[];

/**
 * The order of copies for one search or get. Throws `illegal_argument_exception` for a malformed preference, and a 403
 * for a preference that strict weighted routing forbids.
 */
export function copyOrder(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  preference: string | undefined,
): CopyOrder {
  const state = deps.state();
  const { shards, rest } = splitShards(preference);
  const arrange = arrangement(deps, selection, state, rest);
  return {
    isWanted: (shard) => shards === undefined || shards.has(shard),
    copies: (index, shard) => arrange(copiesOf(state, index, shard).filter(isActive), shard, index),
  };
}

function splitShards(preference: string | undefined): {
  shards: ReadonlySet<number> | undefined;
  rest: string | undefined;
} {
  if (preference?.startsWith("_shards:") !== true) return { shards: undefined, rest: preference };
  const [list = "", ...rest] = preference.slice("_shards:".length).split("|");
  const shards = new Set(list.split(",").map((text) => parseShard(text)));
  return { shards, rest: rest.length === 0 ? undefined : rest.join("|") };
}

function parseShard(text: string): number {
  if (!/^\d+$/.test(text)) throw illegalArgument(`For input string: "${text}"`);
  return Number(text);
}

function arrangement(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  state: ClusterState,
  preference: string | undefined,
): Arrange {
  const weights = weightsIn(deps, state);
  const isNear = nearness(deps, state);
  if (preference === undefined || preference === "") {
    if (weights !== undefined) return (copies) => weights.order(copies, deps.random);
    return isNear === undefined
      ? adaptive(deps, selection, state)
      : (copies) => rotatedNearFirst(copies, deps.random.int(0, MAX_ROTATION), isNear);
  }
  if (!preference.startsWith("_")) {
    return (copies, shard) => {
      const by = hashRouting(preference) + shard;
      if (weights?.isStrict === true) return weights.order(copies, by);
      return isNear === undefined ? rotated(copies, by) : rotatedNearFirst(copies, by, isNear);
    };
  }
  const [kind = "", list = ""] = preference.split(":", 2);
  const isOn = (nodes: ReadonlySet<NodeId>) => (copy: ShardRouting) =>
    copy.nodeId !== undefined && nodes.has(copy.nodeId);
  const isRestricted = kind === "_prefer_nodes" || kind === "_only_nodes";
  if (isRestricted && weights?.isStrict === true) throw preferenceNotAllowed();
  switch (kind) {
    case "_local":
      return prefer((copy) => copy.nodeId === deps.transport.localNodeId);
    case "_primary":
      return (copies) => copies.filter((copy) => copy.primary);
    case "_primary_first":
      return prefer((copy) => copy.primary);
    case "_replica":
      return (copies) => copies.filter((copy) => !copy.primary);
    case "_replica_first":
      return prefer((copy) => !copy.primary);
    case "_only_local":
      return (copies) => copies.filter((copy) => copy.nodeId === deps.transport.localNodeId);
    case "_prefer_nodes":
      return prefer(isOn(new Set(list.split(",") as NodeId[])));
    case "_only_nodes":
      return onlyNodes(state, list);
    default:
      throw illegalArgument(`no Preference for [${kind}]`);
  }
}

type IsNear = (copy: ShardRouting) => boolean;

/**
 * A predicate for copies on nodes that share the value of an awareness attribute with the coordinating node;
 * `undefined` when awareness does not apply.
 */
function nearness(deps: CoordinatorDeps, state: ClusterState): IsNear | undefined {
  const seen = withNodeSettings(state, deps.nodeSettings ?? {});
  const attributes = awarenessAttributes(seen);
  if (attributes.length === 0) return undefined;
  if (clusterSetting(seen, "cluster.search.ignore_awareness_attributes")) return undefined;
  const here = state.nodes.get(deps.transport.localNodeId)?.attributes ?? {};
  return ({ nodeId }) => {
    const there = nodeId === undefined ? undefined : state.nodes.get(nodeId)?.attributes;
    return attributes.some(
      (name) => lookup(here, name) !== undefined && lookup(here, name) === lookup(there, name),
    );
  };
}

function rotatedNearFirst(
  copies: readonly ShardRouting[],
  by: number,
  isNear: IsNear,
): readonly ShardRouting[] {
  const far = copies.filter((copy) => !isNear(copy));
  return [...rotated(copies.filter(isNear), by), ...rotated(far, by)];
}

function onlyNodes(state: ClusterState, list: string): Arrange {
  const nodes = new Set(resolveNodes(state, list.split(",")));
  return (copies, shard, index) => {
    if (nodes.size > 0)
      return copies.filter(({ nodeId }) => nodeId !== undefined && nodes.has(nodeId));
    const name = shardName(index, shard);
    throw illegalArgument(`no data nodes with criteria [${list}] found for shard: ${name}`);
  };
}

function prefer(isPreferred: (copy: ShardRouting) => boolean): Arrange {
  return (copies) => [
    ...copies.filter(isPreferred),
    ...copies.filter((copy) => !isPreferred(copy)),
  ];
}

function adaptive(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  state: ClusterState,
): Arrange {
  const isOn = clusterSetting(state, "cluster.routing.use_adaptive_replica_selection");
  return (copies) => {
    if (copies.length < 2) return copies;
    const shuffled = rotated(copies, deps.random.int(0, copies.length - 1));
    if (!isOn) return shuffled;
    const rankOf = (copy: ShardRouting): number =>
      copy.nodeId === undefined ? Infinity : (selection.rank(copy.nodeId) ?? -Infinity);
    return shuffled
      .map((copy) => ({ copy, rank: rankOf(copy) }))
      .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
      .map(({ copy }) => copy);
  };
}
