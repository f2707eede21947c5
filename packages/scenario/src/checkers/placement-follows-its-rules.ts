/**
 * INV-ALLOC-7: in every version of the cluster state the copies of a shard are on different nodes, and no node receives
 * more peer recoveries at a time than allowed; rebalancing waits until every copy is active; and once the cluster is
 * whole, no copy remains that rebalancing would move, or that breaks a filter, awareness or a limit although another
 * node could take it.
 *
 * Balance is judged only if nothing else moves copies: no filters, commands, zones or limits. Weights are those of
 * `BalancedShardsAllocator.WeightFunction` with their defaults.
 */
import { greatest, least } from "@orrery/stdx";
import type { Plan } from "../plan.ts";
import type { ClusterView, ShardView, World } from "../world.ts";
import type { Checker } from "./checker.ts";
import { faultsOf } from "./faults-of.ts";
import { misplaced, placementOf } from "./placement-rules.ts";
import { shownState } from "./shown-state.ts";

/**
 * Defaults of `cluster.routing.allocation.node_concurrent_incoming_recoveries`, and of
 * `node_initial_replicas_recoveries` for new replicas.
 */
const MOST_INCOMING = [
  { age: "known", most: 2 },
  { age: "new", most: 4 },
] as const;
const WEIGHTS = { shard: 0.45, index: 0.55, threshold: 1 };
/** Tolerance, as the product computes weights in single precision. */
const ROUNDING = 0.01;

export const placementFollowsItsRules: Checker = {
  name: "placement-follows-its-rules",
  invariant: "INV-ALLOC-7",
  says: "Copies of a shard are on different nodes, as filters, awareness and limits permit; rebalancing waits until every copy is active, and ends balanced.",
  excusedBy: [],
  isAlways: true,
  start: (world, plan) => {
    const last = new Map<string, ClusterView>();
    const found: string[] = [];
    const isBalanceAlone = movesByBalanceOnly(plan);
    const hasOwnLimits = mentions(plan, /recover/);
    const look = (cluster: string, view: ClusterView): void => {
      const before = last.get(cluster);
      if (before !== undefined && before.version >= view.version) return;
      last.set(cluster, view);
      const says =
        sharedNode(view) ??
        (hasOwnLimits ? undefined : tooManyIncoming(view)) ??
        (isBalanceAlone && before !== undefined ? earlyRelocation(before, view) : undefined);
      if (says !== undefined) found.push(`in version ${view.version}, ${says}`);
    };
    return (event) => {
      if (event.kind === "cluster-state-applied") {
        const cluster = world.clusterOf(event.node);
        const known = last.get(cluster)?.version ?? -1;
        if (event.version > known)
          void shownState(world, event.node).then((view) => view && look(cluster, view));
      }
      return found.shift();
    };
  },
  finish: async (world, plan) => {
    for (const { name } of plan.clusters) {
      const says =
        (movesByBalanceOnly(plan) ? await remainingImbalance(world, name) : undefined) ??
        (movesFreely(plan) ? await remainingMisplacement(world, plan, name) : undefined);
      if (says !== undefined) return says;
    }
    return undefined;
  },
};

const others =
  /allocation|reroute|decommission|awareness|weights|_snapshot|_shrink|_split|_clone|rebalance|disk|total_shards_per_node|"roles"|node\.roles/;

/** True if nothing in the plan moves copies, or keeps them in place, except rebalancing. */
function movesByBalanceOnly(plan: Plan): boolean {
  const isFull = faultsOf(plan).some(({ kind }) => kind === "disk-full");
  return !isFull && !mentions(plan, others);
}

/** True if no copy can be kept in place by a disk, a manual command, or a decommissioned zone. */
function movesFreely(plan: Plan): boolean {
  const isFull = faultsOf(plan).some(({ kind }) => kind === "disk-full");
  return !isFull && !mentions(plan, /allocation\.enable|decommission|weights|disk/);
}

const LOOK_EVERY_MS = 1000;

/**
 * Violation that remains on the healed cluster. A copy moves only when its own recovery, and others before it, have
 * ended.
 */
async function remainingMisplacement(
  world: World,
  plan: Plan,
  cluster: string,
): Promise<string | undefined> {
  const untilMs = world.nowMs() + plan.phases.convergeMs;
  for (;;) {
    const placement = await placementOf(world, plan, cluster);
    const says = placement === undefined ? undefined : misplaced(placement);
    if (says === undefined || world.nowMs() >= untilMs) return says;
    await world.sleep(LOOK_EVERY_MS);
  }
}

function mentions(plan: Plan, words: RegExp): boolean {
  return words.test(JSON.stringify([plan.clusters, plan.indices, plan.workload, plan.timeline]));
}

function sharedNode({ shards }: ClusterView): string | undefined {
  const held = new Set<string>();
  for (const copy of shards) {
    for (const node of [copy.node, copy.movesTo]) {
      if (node === undefined) continue;
      const place = `${copy.index}/${copy.shard} on ${node}`;
      if (held.has(place)) return `two copies of ${place}`;
      held.add(place);
    }
  }
  return undefined;
}

function tooManyIncoming({ nodes, shards }: ClusterView): string | undefined {
  for (const node of nodes) {
    const received = shards.filter((copy) => recoversOn(copy) === node);
    for (const { age, most } of MOST_INCOMING) {
      const count = received.filter(({ isNew }) => isNew === (age === "new")).length;
      if (count > most)
        return `${node} receives ${count} recoveries of ${age} copies, and may ${most}`;
    }
  }
  return undefined;
}

/** Node that receives a peer recovery. */
function recoversOn({ state, isPrimary, node, movesTo }: ShardView): string | undefined {
  return movesTo ?? (state === "INITIALIZING" && !isPrimary ? node : undefined);
}

/** Relocation that started while another copy was not active. */
function earlyRelocation(before: ClusterView, now: ClusterView): string | undefined {
  const moving = new Set(before.shards.filter(isMoving).map(({ allocationId }) => allocationId));
  const begun = now.shards.find((copy) => isMoving(copy) && !moving.has(copy.allocationId));
  const waiting = now.shards.find(
    ({ state }) => state === "UNASSIGNED" || state === "INITIALIZING",
  );
  if (begun === undefined || waiting === undefined) return undefined;
  return `a copy of ${begun.index}/${begun.shard} began to move from ${begun.node} to ${begun.movesTo} while one of ${waiting.index}/${waiting.shard} was ${waiting.state}`;
}

function isMoving({ state }: ShardView): boolean {
  return state === "RELOCATING";
}

async function remainingImbalance(world: World, cluster: string): Promise<string | undefined> {
  const [first] = world.running(cluster);
  const view = first === undefined ? undefined : await world.view(first);
  if (view?.clusterManager === undefined) return undefined;
  if (view.nodes.length !== world.nodes(cluster).length) return undefined;
  if (view.shards.some(({ state }) => state !== "STARTED")) return undefined;
  for (const index of view.indices.keys()) {
    const says = unbalanced(view, index);
    if (says !== undefined) return says;
  }
  return undefined;
}

/** Violation of balance: the heaviest node holds a copy that the lightest could take. */
function unbalanced({ nodes, shards }: ClusterView, index: string): string | undefined {
  const weights = new Map(
    nodes.map((node) => {
      const held = shards.filter((copy) => copy.node === node);
      const ofIndex = held.filter((copy) => copy.index === index).length;
      return [node, WEIGHTS.shard * held.length + WEIGHTS.index * ofIndex];
    }),
  );
  const [most, fewest] = [greatest(weights.values()), least(weights.values())];
  if (most - fewest <= WEIGHTS.threshold + ROUNDING) return undefined;
  const at = (weight: number): readonly string[] => nodes.filter((n) => weights.get(n) === weight);
  for (const heavy of at(most)) {
    for (const light of at(fewest)) {
      const ofIndex = shards.filter((copy) => copy.index === index);
      const there = new Set(ofIndex.filter(({ node }) => node === light).map(({ shard }) => shard));
      const copy = ofIndex.find(({ node, shard }) => node === heavy && !there.has(shard));
      if (copy !== undefined)
        return `${heavy} is heavier than ${light} by ${(most - fewest).toFixed(2)} for [${index}], and a copy of ${index}/${copy.shard} stays there`;
    }
  }
  return undefined;
}
