/**
 * The primary's view of the copies of its shard, and the global checkpoint that follows from it
 * (`ReplicationTracker`).
 *
 * Immutable: each function returns the next tracker. A copy is *tracked* when it receives every new operation,
 * *in-sync* when the global checkpoint waits for it, *pending* while it asks to become in-sync and has not caught up
 * with the global checkpoint, which stands still meanwhile. A promoted primary has to resync the others: in-sync
 * copies that its resync has not reached yet await it.
 *
 * INV-REPL-2: the global checkpoint never falls. INV-REPL-3: in primary mode it is at most the local checkpoint of
 * every in-sync copy. INV-REPL-10: the role is handed over only when no copy awaits its resync.
 */
import { assert } from "@orrery/stdx";
import { NO_OPS_PERFORMED, UNASSIGNED_SEQ_NO } from "./seq-no.ts";

/** The primary's knowledge of one copy. Both checkpoints are -2 (`UNASSIGNED_SEQ_NO`) until the copy reports. */
export interface CopyState {
  /** The persisted local checkpoint that the copy has reported. */
  readonly localCheckpoint: number;
  /** The global checkpoint that the copy has reported; it may be behind the primary's. */
  readonly globalCheckpoint: number;
  /** Whether an operation is acknowledged only with this copy. In-sync implies tracked. */
  readonly inSync: boolean;
  readonly tracked: boolean;
}

/** The tracker of one copy. Only in the modes other than `replica` it follows the other copies. */
export interface ReplicationTracker {
  /** Allocation id of the copy that owns this tracker. */
  readonly self: string;
  /**
   * replica → primary by activation; primary → handing-off → relocated while the role moves to a relocation target,
   * or back to primary if that fails. A relocated copy never becomes primary again.
   */
  readonly mode: "replica" | "primary" | "handing-off" | "relocated";
  /** All operations up to here are persisted on every in-sync copy; in replica mode, as far as this copy has learnt. */
  readonly globalCheckpoint: number;
  /** Version of the cluster state whose routing is in `copies`. */
  readonly stateVersion: number;
  /** The copies by allocation id, the own one included; empty in replica mode. */
  readonly copies: ReadonlyMap<string, CopyState>;
  readonly pendingInSync: ReadonlySet<string>;
  /** In-sync copies that this primary's resync has not reached, by allocation id; empty unless it was promoted. */
  readonly awaitingResync: ReadonlySet<string>;
}

/** The part of a cluster state that a tracker follows. */
export interface CopiesInState {
  readonly version: number;
  readonly inSyncIds: readonly string[];
  /** Assigned copies, relocation targets included. */
  readonly assignedIds: readonly string[];
}

/** The state that a relocating primary hands to its target. */
export interface PrimaryContext {
  readonly stateVersion: number;
  readonly globalCheckpoint: number;
  readonly copies: readonly (readonly [id: string, state: CopyState])[];
}

/** The tracker of a copy that has just opened, in replica mode, with the global checkpoint that its disk knows. */
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

/**
 * Records a global checkpoint from the primary, at a replica. Messages may arrive in any order: a lower one is
 * ignored.
 */
export function learnGlobalCheckpoint(
  tracker: ReplicationTracker,
  globalCheckpoint: number,
): ReplicationTracker {
  if (globalCheckpoint <= tracker.globalCheckpoint) return tracker;
  return { ...tracker, globalCheckpoint };
}

/** The circumstances in which a copy becomes primary. */
export interface Activation {
  /** The copy's own persisted local checkpoint. */
  readonly localCheckpoint: number;
  /** True for an active replica, beside which other copies go on; otherwise the others recover from this copy. */
  readonly isPromotion: boolean;
}

/**
 * Promotion, or the start of a first copy: from here on this copy computes the global checkpoint
 * (`activatePrimaryMode`).
 *
 * The in-sync set comes from the cluster state, which the cluster manager has decided. Checkpoints of the other
 * copies are unknown until they report, and an unknown one keeps the global checkpoint where it is. An in-sync copy
 * without a node counts, too: the checkpoint must not pass it before the cluster manager has removed it from the set.
 */
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

/**
 * Follows routing and in-sync set of an applied cluster state; ignored unless the state is strictly newer
 * (`updateFromClusterManager`).
 *
 * 1. Copies that the state lacks are dropped: removing a lagging one may raise the global checkpoint.
 * 2. New copies begin untracked, unless the state has them in-sync.
 * 3. In-sync status is only added. A copy becomes in-sync here first, by `requestInSync`, and in the cluster state
 *    later, so a state without it may be older than that decision; taking it away would let the global checkpoint pass
 *    the copy.
 * 4. A pending copy stays pending although the state has it in-sync: it has to catch up first.
 */
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

/**
 * A recovering copy receives every operation from now on; its recovery sends those before. Tracking must begin before
 * the end of the history to send is sampled, or an operation between the two would reach the copy by neither way.
 * `undefined`: the cluster state has no such copy, or this copy is not in primary mode.
 */
export function track(tracker: ReplicationTracker, id: string): ReplicationTracker | undefined {
  const copy = tracker.copies.get(id);
  if (copy === undefined || tracker.mode !== "primary") return undefined;
  return withCopy(tracker, id, { ...copy, tracked: true });
}

/**
 * A recovered copy asks to be in-sync (`markAllocationIdAsInSync`). Afterwards it is in-sync, or pending until
 * `reportCheckpoint` says that it has caught up. `undefined`: the cluster state has no such copy, or this copy is not
 * in primary mode.
 *
 * A copy below the global checkpoint cannot be in-sync at once: the checkpoint would have to fall (INV-REPL-2), or be
 * above an in-sync copy's (INV-REPL-3).
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
    // The copy may be pending since an earlier recovery of it.
    return recompute(withoutPending(withCopy(tracker, id, { ...reported, inSync: true }), id));
  }
  // While the copy is pending the global checkpoint stands still, or a busy shard would move it away from the copy
  // for ever.
  const pendingInSync = new Set(tracker.pendingInSync).add(id);
  return { ...withCopy(tracker, id, reported), pendingInSync };
}

/**
 * The recovery of a pending copy has failed: the global checkpoint no longer waits for it. No effect on a copy that
 * is not pending.
 */
export function withdrawInSync(tracker: ReplicationTracker, id: string): ReplicationTracker {
  return tracker.pendingInSync.has(id) ? recompute(withoutPending(tracker, id)) : tracker;
}

/**
 * Records a copy's persisted local checkpoint, the primary's own included (`updateLocalCheckpoint`). Reports may
 * arrive in any order: a lower one is ignored. A pending copy that reaches the global checkpoint becomes in-sync.
 */
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

/**
 * Records the global checkpoint that a copy knows. Copies that lag behind are sent it in the background, and their
 * leases follow it.
 */
export function reportGlobalCheckpoint(
  tracker: ReplicationTracker,
  id: string,
  globalCheckpoint: number,
): ReplicationTracker {
  const copy = tracker.copies.get(id);
  if (copy === undefined || globalCheckpoint <= copy.globalCheckpoint) return tracker;
  return withCopy(tracker, id, { ...copy, globalCheckpoint });
}

/** The copies of a write, besides the primary itself. */
export interface ReplicationGroup {
  /** Tracked copies with a node: operations are sent to them. */
  readonly targets: readonly string[];
  /** In-sync copies without a node, which no operation can reach. */
  readonly unavailableInSync: readonly string[];
}

/** The group for one write. `assignedIds` is of the applied cluster state. */
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

/** Records copies that have every operation of the resync. Each other one awaits it until it is recorded, or dropped by the cluster state. */
export function noteResynced(
  tracker: ReplicationTracker,
  ids: ReadonlySet<string>,
): ReplicationTracker {
  const awaitingResync = new Set([...tracker.awaitingResync].filter((id) => !ids.has(id)));
  return { ...tracker, awaitingResync };
}

/**
 * Begins the hand-over of a relocating primary, whose target continues from the returned context
 * (`startRelocationHandoff`). Operations must be blocked by the caller: an operation after the context was taken
 * would be unknown to the target. No copy may await its resync, because the context does not name such copies
 * (INV-REPL-10).
 */
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

/** The target has not taken over: this copy is primary again. No effect in other modes. */
export function abortHandoff(tracker: ReplicationTracker): ReplicationTracker {
  return tracker.mode === "handing-off" ? { ...tracker, mode: "primary" } : tracker;
}

/** The target has taken over. Late reports still reach this tracker, which sends no operations any more. */
export function completeHandoff(tracker: ReplicationTracker): ReplicationTracker {
  assert(tracker.mode === "handing-off", `complete a hand-off in mode ${tracker.mode}`);
  return { ...tracker, mode: "relocated" };
}

/**
 * The relocation target takes over (`activateWithPrimaryContext`), as a recovered copy that the context names. Of the
 * two global checkpoints the higher one counts (INV-REPL-2).
 */
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

/** A copy that has not reported. */
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

/**
 * Computes the global checkpoint: the lowest local checkpoint of all in-sync copies, of which none may be unknown. It
 * never moves back (INV-REPL-2), and not at all while a copy is pending.
 */
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
