/**
 * Moment up to which a GET must show acknowledged writes, derived from the events of the run.
 *
 * A write is acknowledged when every in-sync copy has it, and only a new cluster state removes a copy from the in-sync
 * set. So each active copy in the newest state that the asked node has applied holds all writes acknowledged until any
 * node applied a newer state. From then on the node may send a GET to a removed copy, such as an isolated primary,
 * until it applies the newer state: the product serves reads without an elected cluster manager, for an unbounded time.
 * A removed node keeps using the last state that it was in.
 *
 * A copy that learns of a new primary rolls back operations above its global checkpoint and receives them again from
 * the resync. Until then only writes acknowledged some time before the disturbance are certain to be visible, as every
 * copy knows their global checkpoint.
 */
import type { NewsEvent } from "../watchers.ts";
import type { RecordedEvent, World } from "../world.ts";

interface At {
  readonly atMs: number;
}

interface Applied extends At {
  readonly version: number;
}

interface Promotion extends At {
  readonly shard: number;
  readonly primaryTerm: number;
  /** Time at which the resync brought the other copies in line; Infinity before. */
  settledMs: number;
}

export interface Bounds {
  /** States that a node applied as a member, by node; version 0 at each start and end of its process. */
  readonly applied: ReadonlyMap<string, readonly Applied[]>;
  /** First time at which any node applied each version, by cluster. */
  readonly newest: ReadonlyMap<string, readonly Applied[]>;
  /** Changes of primaries by cluster and index, as `main/books`. */
  readonly promotions: ReadonlyMap<string, readonly Promotion[]>;
  /** Times during which a fault lasted, or a node was down; the last one may not have ended. */
  readonly disturbances: readonly { readonly fromMs: number; readonly toMs: number }[];
}

export interface Reading {
  readonly cluster: string;
  readonly index: string;
  readonly node: string;
  readonly invokedMs: number;
  readonly returnedMs: number;
}

/** Time for a relocation to settle, which is short: the new primary has the operations of the old one. */
const RELOCATED_MS = 2000;
/** Time after which copies know of a global checkpoint, with a wide margin. */
const CONFIRMED_MS = 2000;

/** Time such that the reading must show the writes acknowledged before it, or later ones. */
export function mustShowUntil(bounds: Bounds, reading: Reading): number {
  const { cluster, index, node, invokedMs, returnedMs } = reading;
  const version = last(bounds.applied.get(node) ?? [], invokedMs)?.version ?? 0;
  const overtaken = bounds.newest.get(cluster)?.find((one) => one.version > version);
  const until = Math.min(invokedMs, overtaken?.atMs ?? Infinity);
  const unsettled = (bounds.promotions.get(`${cluster}/${index}`) ?? []).find(
    ({ atMs, settledMs }) => atMs < returnedMs && settledMs > until,
  );
  if (unsettled === undefined) return until;
  return calmBefore(bounds, Math.min(until, unsettled.atMs)) - CONFIRMED_MS;
}

function last(all: readonly Applied[], atMs: number): Applied | undefined {
  return all.findLast((one) => one.atMs <= atMs);
}

function calmBefore({ disturbances }: Bounds, atMs: number): number {
  const trouble = disturbances.findLast(({ fromMs }) => fromMs <= atMs);
  return trouble !== undefined && trouble.toMs + CONFIRMED_MS >= atMs ? trouble.fromMs : atMs;
}

const watches = new WeakMap<World, Bounds>();

/** Bounds of the run; `undefined` if its events were not watched. */
export function boundsOf(world: World): Bounds | undefined {
  return watches.get(world);
}

/** Returns the event watcher, for `start` of a checker. */
export function watchBounds(world: World): (event: NewsEvent) => undefined {
  const { bounds, see } = watchEvents(world.clusterOf);
  watches.set(world, bounds);
  return see;
}

/** Bounds that are extended with each event. */
export function watchEvents(clusterOf: World["clusterOf"]): {
  readonly bounds: Bounds;
  readonly see: (event: NewsEvent) => undefined;
} {
  const applied = new Map<string, Applied[]>();
  const newest = new Map<string, Applied[]>();
  const promotions = createPromotions();
  const disturbances = createDisturbances();
  const see = (event: NewsEvent): undefined => {
    const { node, at_ms: atMs } = event;
    switch (event.kind) {
      case "node-started":
      case "node-crashed":
      case "node-stopped":
        listOf(applied, node).push({ atMs, version: 0 });
        disturbances.see(`down ${node}`, event.kind === "node-started" ? "over" : "begun", atMs);
        return undefined;
      case "fault-started":
      case "fault-ended":
        disturbances.see(event.fault, event.kind === "fault-ended" ? "ended" : "begun", atMs);
        return undefined;
      case "cluster-state-applied": {
        const { version, isMember } = event;
        if (isMember) listOf(applied, node).push({ atMs, version });
        const all = listOf(newest, clusterOf(node));
        if (version > (all.at(-1)?.version ?? 0)) all.push({ atMs, version });
        return undefined;
      }
      case "shard-copies-changed":
        promotions.change(clusterOf(node), event);
        return undefined;
      case "copies-resynced":
        promotions.settle(`${clusterOf(node)}/${event.index}`, event, atMs);
        return undefined;
      default:
        return undefined;
    }
  };
  return {
    bounds: { applied, newest, promotions: promotions.all, disturbances: disturbances.all },
    see,
  };
}

function listOf<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;

function createPromotions() {
  const all = new Map<string, Promotion[]>();
  const known = new Map<string, Copies>();
  const settle = (
    place: string,
    { shard, primaryTerm }: Pick<Promotion, "shard" | "primaryTerm">,
    atMs: number,
  ): void => {
    for (const one of all.get(place) ?? []) {
      if (one.shard === shard && one.primaryTerm <= primaryTerm)
        one.settledMs = Math.min(one.settledMs, atMs);
    }
  };
  return {
    all,
    settle,
    change(cluster: string, event: Copies): void {
      const { index, indexUuid, shard, primary, primaryTerm, at_ms: atMs } = event;
      const place = `${cluster}/${index}`;
      const key = `${cluster}/${indexUuid}/${shard}`;
      const before = known.get(key);
      // Every node reports each version; the first report counts.
      if (before !== undefined && event.version <= before.version) return;
      known.set(key, event);
      if (primary === "" || primary === before?.primary) return;
      const hadPrimary = before !== undefined && before.primary !== "";
      if (!hadPrimary) {
        // A primary that recovers locally has no active replica that needs a resync.
        settle(place, event, atMs);
        return;
      }
      const settledMs = event.isRelocated ? atMs + RELOCATED_MS : Infinity;
      listOf(all, place).push({ atMs, shard, primaryTerm, settledMs });
    },
  };
}

function createDisturbances() {
  const all: { readonly fromMs: number; toMs: number }[] = [];
  const lasting = new Map<string, number>();
  const isCalm = (): boolean => [...lasting.values()].every((times) => times <= 0);
  return {
    all,
    /** `ended`: one fault of the kind has ended; `over`: all of them. */
    see(kind: string, what: "begun" | "ended" | "over", atMs: number): void {
      const times = lasting.get(kind) ?? 0;
      const wasCalm = isCalm();
      if (what === "begun") lasting.set(kind, times + 1);
      else lasting.set(kind, what === "over" ? 0 : times - 1);
      const current = all.at(-1);
      if (!wasCalm && isCalm() && current !== undefined) current.toMs = atMs;
      if (!wasCalm || isCalm()) return;
      if (current !== undefined && current.toMs + CONFIRMED_MS >= atMs) current.toMs = Infinity;
      else all.push({ fromMs: atMs, toMs: Infinity });
    },
  };
}
