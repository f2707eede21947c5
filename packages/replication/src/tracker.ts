/**
 * What a primary knows of the other copies of its shard, and the global checkpoint that follows from it.
 *
 * Immutable: each function returns the next tracker. A copy is *tracked* when it gets every new operation, *in-sync*
 * when the global checkpoint waits for it. A copy that asks to become in-sync is *pending* until it has caught up with
 * the global checkpoint; while one is pending the global checkpoint stands still.
 *
 * A copy that is promoted has to resync the others: until an operation of its term has brought each of them what lies above the global
 * checkpoint, they await their resync, and the role cannot be handed over. The tracker of the next primary knows no such set.
 *
 * INV-REPL-2: the global checkpoint never falls. INV-REPL-3: in primary mode it is at most the local checkpoint of every
 * in-sync copy. Source: `ReplicationTracker`.
 */
import { assert } from "@orrery/stdx";
import { NO_OPS_PERFORMED, UNASSIGNED_SEQ_NO } from "./seq-no.ts";

export interface CopyState {
  readonly localCheckpoint: number;
  /** What that copy is known to know. */
  readonly globalCheckpoint: number;
  readonly inSync: boolean;
  readonly tracked: boolean;
}

export interface ReplicationTracker {
  /** Allocation id of the copy that owns this tracker. */
  readonly self: string;
  readonly mode: "replica" | "primary" | "handing-off" | "relocated";
  readonly globalCheckpoint: number;
  /** Of the cluster state whose routing is in `copies`. */
  readonly stateVersion: number;
  /** By allocation id; empty in replica mode. */
  readonly copies: ReadonlyMap<string, CopyState>;
  readonly pendingInSync: ReadonlySet<string>;
  /** Copies that this primary's resync has not reached, by allocation id; empty unless it was promoted. */
  readonly awaitingResync: ReadonlySet<string>;
}

/** The part of a cluster state that a tracker follows. */
export interface CopiesInState {
  readonly version: number;
  readonly inSyncIds: readonly string[];
  /** Assigned copies, relocation targets included. */
  readonly assignedIds: readonly string[];
}

/** What a relocating primary tells its target. */
export interface PrimaryContext {
  readonly stateVersion: number;
  readonly globalCheckpoint: number;
  readonly copies: readonly (readonly [id: string, state: CopyState])[];
}

export function createReplicationTracker(
  self: string,
  globalCheckpoint: number,
): ReplicationTracker {
  return {
    self,
    mode: "replica",
    globalCheckpoint,
    stateVersion: 0,
    copies: new Map(),
    pendingInSync: new Set(),
    awaitingResync: new Set(),
  };
}

/** A replica learns a global checkpoint from its primary. */
export function learnGlobalCheckpoint(
  tracker: ReplicationTracker,
  globalCheckpoint: number,
): ReplicationTracker {
  if (globalCheckpoint <= tracker.globalCheckpoint) return tracker;
  return { ...tracker, globalCheckpoint };
}

/** How a copy has become the primary. */
export interface Activation {
  readonly localCheckpoint: number;
  /** The copy was an active replica, and the others go on beside it; otherwise they recover from it. */
  readonly isPromotion: boolean;
}

/** Promotion, or the start of the first copy: from here on this copy computes the global checkpoint. */
export function activatePrimary(
  tracker: ReplicationTracker,
  state: CopiesInState,
  { localCheckpoint, isPromotion }: Activation,
): ReplicationTracker {
  assert(tracker.mode === "replica", `activate in mode ${tracker.mode}`);
  const ids = new Set([...state.inSyncIds, ...state.assignedIds, tracker.self]);
  const copies = new Map([...ids].map((id) => [id, unknownCopy(state.inSyncIds.includes(id))]));
  copies.set(tracker.self, {
    localCheckpoint,
    globalCheckpoint: tracker.globalCheckpoint,
    inSync: true,
    tracked: true,
  });
  const others = [...copies].filter(([id, { inSync }]) => inSync && id !== tracker.self);
  const awaitingResync = new Set(isPromotion ? others.map(([id]) => id) : []);
  const stateVersion = state.version;
  return recompute({ ...tracker, mode: "primary", stateVersion, copies, awaitingResync });
}

/** Follows routing and in-sync set; ignored unless the state is strictly newer. */
export function followState(tracker: ReplicationTracker, state: CopiesInState): ReplicationTracker {
  if (tracker.mode === "replica" || state.version <= tracker.stateVersion) return tracker;
  const known = new Set([...state.assignedIds, ...state.inSyncIds, tracker.self]);
  const copies = new Map<string, CopyState>();
  for (const [id, copy] of tracker.copies) if (known.has(id)) copies.set(id, copy);
  for (const id of known) {
    const copy = copies.get(id);
    if (copy === undefined) copies.set(id, unknownCopy(state.inSyncIds.includes(id)));
    else if (state.inSyncIds.includes(id) && !copy.inSync && !tracker.pendingInSync.has(id)) {
      copies.set(id, { ...copy, inSync: true, tracked: true });
    }
  }
  const pendingInSync = new Set([...tracker.pendingInSync].filter((id) => copies.has(id)));
  const awaitingResync = new Set([...tracker.awaitingResync].filter((id) => copies.has(id)));
  const stateVersion = state.version;
  return recompute({ ...tracker, stateVersion, copies, pendingInSync, awaitingResync });
}

/** A recovering copy gets every operation from now on. `undefined`: no such copy, or not this one's to decide. */
export function track(tracker: ReplicationTracker, id: string): ReplicationTracker | undefined {
  const copy = tracker.copies.get(id);
  if (copy === undefined || tracker.mode !== "primary") return undefined;
  return withCopy(tracker, id, { ...copy, tracked: true });
}

/**
 * A recovered copy asks to be in-sync. It is afterwards either in-sync, or pending until `reportCheckpoint` says that
 * it has caught up. `undefined`: the cluster state knows no such copy, or another copy is primary by now.
 */
export function requestInSync(
  tracker: ReplicationTracker,
  id: string,
  localCheckpoint: number,
): ReplicationTracker | undefined {
  const copy = tracker.copies.get(id);
  if (copy === undefined || tracker.mode !== "primary") return undefined;
  const reported = {
    ...copy,
    tracked: true,
    localCheckpoint: Math.max(copy.localCheckpoint, localCheckpoint),
  };
  if (copy.inSync || reported.localCheckpoint >= tracker.globalCheckpoint) {
    // It may be pending since an earlier recovery.
    return recompute(withoutPending(withCopy(tracker, id, { ...reported, inSync: true }), id));
  }
  const pendingInSync = new Set(tracker.pendingInSync).add(id);
  return { ...withCopy(tracker, id, reported), pendingInSync };
}

/** The recovery of a copy that is pending has ended without it: nothing waits for that copy any more. */
export function withdrawInSync(tracker: ReplicationTracker, id: string): ReplicationTracker {
  return tracker.pendingInSync.has(id) ? recompute(withoutPending(tracker, id)) : tracker;
}

/** A copy reports its (persisted) local checkpoint. */
export function reportCheckpoint(
  tracker: ReplicationTracker,
  id: string,
  localCheckpoint: number,
): ReplicationTracker {
  const copy = tracker.copies.get(id);
  if (copy === undefined || localCheckpoint <= copy.localCheckpoint) return tracker;
  const next = withCopy(tracker, id, { ...copy, localCheckpoint });
  if (!tracker.pendingInSync.has(id) || localCheckpoint < tracker.globalCheckpoint) {
    return recompute(next);
  }
  const caughtUp = withCopy(next, id, { ...copy, localCheckpoint, inSync: true });
  return recompute(withoutPending(caughtUp, id));
}

/** A copy reports the global checkpoint it knows. */
export function reportGlobalCheckpoint(
  tracker: ReplicationTracker,
  id: string,
  globalCheckpoint: number,
): ReplicationTracker {
  const copy = tracker.copies.get(id);
  if (copy === undefined || globalCheckpoint <= copy.globalCheckpoint) return tracker;
  return withCopy(tracker, id, { ...copy, globalCheckpoint });
}

/** The copies operations go to, besides the primary itself, and in-sync ones that have no node. */
export interface ReplicationGroup {
  readonly targets: readonly string[];
  readonly unavailableInSync: readonly string[];
}

export function replicationGroup(
  tracker: ReplicationTracker,
  assignedIds: ReadonlySet<string>,
): ReplicationGroup {
  const targets: string[] = [];
  const unavailableInSync: string[] = [];
  for (const [id, copy] of tracker.copies) {
    if (id === tracker.self) continue;
    if (assignedIds.has(id)) {
      if (copy.tracked) targets.push(id);
    } else if (copy.inSync) unavailableInSync.push(id);
  }
  return { targets, unavailableInSync };
}

/** Copies that have every operation which the resync had to bring them no longer await it. Others await it until the cluster state drops them. */
export function noteResynced(
  tracker: ReplicationTracker,
  ids: ReadonlySet<string>,
): ReplicationTracker {
  const awaitingResync = new Set([...tracker.awaitingResync].filter((id) => !ids.has(id)));
  return { ...tracker, awaitingResync };
}

/** A relocating primary stops, and this is what its target goes on from. No copy may await its resync. */
export function startHandoff(tracker: ReplicationTracker): {
  readonly tracker: ReplicationTracker;
  readonly context: PrimaryContext;
} {
  assert(tracker.mode === "primary", `hand off in mode ${tracker.mode}`);
  assert(tracker.awaitingResync.size === 0, "hand off before the resync has reached every copy");
  const { stateVersion, globalCheckpoint, copies } = tracker;
  return {
    tracker: { ...tracker, mode: "handing-off" },
    context: { stateVersion, globalCheckpoint, copies: [...copies] },
  };
}

export function abortHandoff(tracker: ReplicationTracker): ReplicationTracker {
  return tracker.mode === "handing-off" ? { ...tracker, mode: "primary" } : tracker;
}

export function completeHandoff(tracker: ReplicationTracker): ReplicationTracker {
  assert(tracker.mode === "handing-off", `complete a hand-off in mode ${tracker.mode}`);
  return { ...tracker, mode: "relocated" };
}

/** The relocation target takes over. */
export function activateWithContext(
  tracker: ReplicationTracker,
  context: PrimaryContext,
): ReplicationTracker {
  assert(tracker.mode === "replica", `take over in mode ${tracker.mode}`);
  assert(
    context.copies.some(([id]) => id === tracker.self),
    `primary context without its target ${tracker.self}`,
  );
  return recompute({
    ...tracker,
    mode: "primary",
    stateVersion: context.stateVersion,
    globalCheckpoint: Math.max(tracker.globalCheckpoint, context.globalCheckpoint),
    copies: new Map(context.copies),
  });
}

function unknownCopy(inSync: boolean): CopyState {
  return {
    localCheckpoint: UNASSIGNED_SEQ_NO,
    globalCheckpoint: UNASSIGNED_SEQ_NO,
    inSync,
    tracked: inSync,
  };
}

function withCopy(tracker: ReplicationTracker, id: string, copy: CopyState): ReplicationTracker {
  return { ...tracker, copies: new Map(tracker.copies).set(id, copy) };
}

function withoutPending(tracker: ReplicationTracker, id: string): ReplicationTracker {
  const pendingInSync = new Set([...tracker.pendingInSync].filter((other) => other !== id));
  return { ...tracker, pendingInSync };
}

function recompute(tracker: ReplicationTracker): ReplicationTracker {
  if (tracker.mode === "replica" || tracker.pendingInSync.size > 0) return tracker;
  let lowest = Infinity;
  for (const copy of tracker.copies.values()) {
    if (!copy.inSync) continue;
    if (copy.localCheckpoint === UNASSIGNED_SEQ_NO) return tracker;
    lowest = Math.min(lowest, copy.localCheckpoint);
  }
  assert(lowest >= NO_OPS_PERFORMED, "a primary is in-sync with itself");
  if (lowest === Infinity || lowest <= tracker.globalCheckpoint) return tracker;
  return { ...tracker, globalCheckpoint: lowest };
}
