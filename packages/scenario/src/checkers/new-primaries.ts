/**
 * Changes of primaries during a run, and whether a plan can isolate nodes from them: input for the judgement of
 * searches.
 */
import { rowOf } from "../faults/table.ts";
import type { Plan } from "../plan.ts";
import { faultsOf } from "./faults-of.ts";
import type { NewsEvent } from "../watchers.ts";
import type { RecordedEvent, World } from "../world.ts";
import type { Judged } from "./searches-of-a-run.ts";

/** Times of primary changes by world, for checkers that judge at the end. */
const watches = new WeakMap<World, ReadonlyMap<string, readonly number[]>>();

/** Returns the event watcher, for `start` of a checker. */
export function watchPrimaries(world: World): (event: NewsEvent) => undefined {
  const watched = {
    newPrimaries: new Map<string, number[]>(),
    primaryOf: new Map<string, string>(),
  };
  watches.set(world, watched.newPrimaries);
  return (event) => {
    if (event.kind === "shard-copies-changed")
      notePrimary(watched, world.clusterOf(event.node), event);
    return undefined;
  };
}

/** Result for `finish` of a checker. Without recorded events the times of primary changes are unknown. */
export function knownPrimaryChanges(world: World, plan: Plan): Judged {
  const { clusterOf } = world;
  const newPrimaries = watches.get(world);
  if (newPrimaries === undefined)
    return { clusterOf, mayBeOutOfDate: true, newPrimaries: new Map<string, number[]>() };
  return { clusterOf, mayBeOutOfDate: mayCutNodesOff(plan), newPrimaries };
}

interface Watched {
  readonly newPrimaries: Map<string, number[]>;
  /** Primary term and allocation id of the primary, by shard. */
  readonly primaryOf: Map<string, string>;
}

type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;

function notePrimary({ newPrimaries, primaryOf }: Watched, cluster: string, event: Copies): void {
  const { index, shard, primaryTerm, primary, at_ms: atMs } = event;
  const key = `${cluster}/${index}/${shard}`;
  const now = `${primaryTerm}/${primary}`;
  const before = primaryOf.get(key);
  if (before === now) return;
  primaryOf.set(key, now);
  // The first primary of a new index replaces none: its copies are built from it.
  if (before === undefined && primaryTerm === 1) return;
  const all = newPrimaries.get(`${cluster}/${index}`) ?? [];
  newPrimaries.set(`${cluster}/${index}`, all);
  all.push(atMs);
}

/** Delay far below the time after which a node takes another for lost. */
const SHORT_DELAY_MS = 500;

/**
 * True if faults can keep a node from learning of a new primary while it answers requests from its old state. Short
 * delays do not count: they pass before a new primary has settled.
 */
export function mayCutNodesOff(plan: Plan): boolean {
  return faultsOf(plan).some((fault) => {
    if (fault.kind === "delay") return fault.highMs > SHORT_DELAY_MS;
    const stands = fault.kind === "pause" || fault.kind === "slow-cpu";
    return stands || rowOf(fault).family === "network";
  });
}
