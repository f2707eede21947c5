/** When shards got another primary, and who may not have heard of it: what searches of a run are judged by. */
import { rowOf } from "../faults/table.ts";
import type { Plan } from "../plan.ts";
import { faultsOf } from "./faults-of.ts";
import type { NewsEvent } from "../watchers.ts";
import type { RecordedEvent, World } from "../world.ts";
import type { Judged } from "./searches-of-a-run.ts";

/** What was seen in a world, for those who judge at its end. */
const watches = new WeakMap<World, ReadonlyMap<string, readonly number[]>>();

/** The `start` of a checker. */
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

/** For its `finish`. Where nobody watches, nobody knows when a primary changed. */
export function whatIsKnown(world: World, plan: Plan): Judged {
  const { clusterOf } = world;
  const newPrimaries = watches.get(world);
  if (newPrimaries === undefined)
    return { clusterOf, mayBeOutOfDate: true, newPrimaries: new Map<string, number[]>() };
  return { clusterOf, mayBeOutOfDate: mayCutNodesOff(plan), newPrimaries };
}

interface Watched {
  readonly newPrimaries: Map<string, number[]>;
  /** Primary term and allocation id, by shard. */
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
  // The first primary of a new index takes over from none: its copies are made of what it has.
  if (before === undefined && primaryTerm === 1) return;
  const all = newPrimaries.get(`${cluster}/${index}`) ?? [];
  newPrimaries.set(`${cluster}/${index}`, all);
  all.push(atMs);
}

/** Far below what a node waits for the answer of another one before it takes it for lost. */
const SHORT_DELAY_MS = 500;

/** A node that does not hear of a new primary goes on answering from what it has. Short delays are over when a new primary settles. */
export function mayCutNodesOff(plan: Plan): boolean {
  return faultsOf(plan).some((fault) => {
    if (fault.kind === "delay") return fault.highMs > SHORT_DELAY_MS;
    const stands = fault.kind === "pause" || fault.kind === "slow-cpu";
    return stands || rowOf(fault).family === "network";
  });
}
