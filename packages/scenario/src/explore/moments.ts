/** Moments of a cluster at which a fault is likely to reveal a bug: each starts with an event of the trace. */
import { lookup } from "@orrery/stdx";
import { isLike } from "../conditions.ts";
import type { Condition, Trigger } from "../plan.ts";
import type { RecordedEvent } from "../world.ts";
import type { Area, Scene } from "./scene.ts";

type Pattern = NonNullable<Condition["event"]>;

interface Moment {
  readonly event: Pattern;
  /** Highest ordinal of such an event that a trigger may name. */
  readonly most: number;
  /** Areas of the plans that use the moment; all if `undefined`. */
  readonly areas?: readonly Area[];
}

const sent = (action: string): Pattern => ({ kind: "message-sent", action });

export const moments: readonly Moment[] = [
  // Membership and publication.
  { event: { kind: "cluster-manager-elected" }, most: 3 },
  { event: { kind: "cluster-manager-stepped-down" }, most: 2 },
  { event: { kind: "cluster-state-published" }, most: 12 },
  { event: { kind: "cluster-state-applied" }, most: 40 },
  { event: { kind: "node-crashed" }, most: 2 },
  { event: { kind: "node-started" }, most: 2 },
  { event: { kind: "fault-ended" }, most: 3 },
  { event: sent("internal:cluster/coordination/join*"), most: 3 },
  { event: sent("internal:cluster/consensus/snapshot*"), most: 2 },
  // Replication and recovery.
  { event: sent("internal:index/seq_no/resync*"), most: 4 },
  { event: sent("internal:cluster/shard/failure*"), most: 3 },
  { event: sent("internal:cluster/shard/started*"), most: 4 },
  { event: sent("internal:index/shard/recovery/start_recovery*"), most: 4 },
  { event: sent("internal:index/shard/recovery/filesInfo*"), most: 3 },
  { event: sent("internal:index/shard/recovery/clean_files*"), most: 3 },
  { event: sent("internal:index/shard/recovery/prepare_translog*"), most: 3 },
  { event: sent("internal:index/shard/recovery/translog_ops*"), most: 4 },
  { event: sent("internal:index/shard/recovery/finalize*"), most: 3 },
  { event: sent("internal:index/shard/recovery/handoff_primary_context*"), most: 2 },
  { event: sent("indices:admin/seq_no/retention_lease*"), most: 4 },
  { event: { kind: "copy-let-in" }, most: 4 },
  { event: { kind: "shard-state-changed", state: "FAILED" }, most: 2 },
  { event: { kind: "shard-state-changed", state: "POST_RECOVERY" }, most: 4 },
  { event: { kind: "shard-copies-changed" }, most: 40 },
  // Snapshots.
  {
    event: { kind: "snapshot-state-changed", operation: "snapshot", state: "STARTED" },
    most: 4,
    areas: ["snapshots"],
  },
  {
    event: { kind: "snapshot-state-changed", operation: "snapshot", state: "SUCCESS" },
    most: 6,
    areas: ["snapshots"],
  },
  {
    event: { kind: "snapshot-state-changed", operation: "deletion" },
    most: 2,
    areas: ["snapshots"],
  },
  { event: { kind: "snapshot-state-changed", operation: "clone" }, most: 2, areas: ["snapshots"] },
  {
    event: { kind: "snapshot-state-changed", operation: "restore" },
    most: 3,
    areas: ["snapshots"],
  },
  { event: sent("internal:index/shard/snapshot*"), most: 3, areas: ["snapshots"] },
  // Zones.
  {
    event: { kind: "decommission-status-changed", status: "draining" },
    most: 2,
    areas: ["decommission"],
  },
  {
    event: { kind: "decommission-status-changed", status: "in_progress" },
    most: 2,
    areas: ["decommission"],
  },
  {
    event: { kind: "decommission-status-changed", status: "successful" },
    most: 2,
    areas: ["decommission"],
  },
  // Cross-cluster replication, and dangling indices.
  { event: { kind: "retention-lease-changed" }, most: 4, areas: ["leases"] },
  { event: { kind: "remote-replication-changed" }, most: 4, areas: ["leases"] },
  { event: { kind: "remote-replication-checkpoint" }, most: 12, areas: ["leases"] },
  { event: { kind: "dangling-index-imported" }, most: 2, areas: ["dangling"] },
];

/**
 * Number of moments of a run before its `disturbMs`, by `keyOf` their event; a moment that did not occur has no entry.
 */
export type MomentCounts = Readonly<Record<string, number>>;

export interface MomentCounter {
  hear(event: RecordedEvent): void;
  counts(): MomentCounts;
}

/** Counter of the moments of a run, fed with its events. */
export function createMomentCounter(disturbMs: number): MomentCounter {
  const counts = new Map<string, number>();
  /** Moments that match an action, cached: most events of a trace are messages. */
  const byAction = new Map<string, readonly string[]>();
  const keysOf = (event: RecordedEvent): readonly string[] =>
    (momentsByKind.get(event.kind) ?? []).filter((one) => isLike(event, one)).map(keyOf);
  const keysOfAction = (event: RecordedEvent, action: string): readonly string[] => {
    const known = byAction.get(action) ?? keysOf(event);
    byAction.set(action, known);
    return known;
  };
  return {
    hear: (event) => {
      if (event.at_ms > disturbMs) return;
      const keys =
        event.kind === "message-sent" ? keysOfAction(event, event.action) : keysOf(event);
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    counts: () => Object.fromEntries(counts),
  };
}

function keyOf(event: Pattern): string {
  return JSON.stringify(event);
}

const momentsByKind: ReadonlyMap<string, readonly Pattern[]> = new Map(
  moments.map(({ event: { kind } }) => [
    String(kind),
    moments.filter(({ event }) => event["kind"] === kind).map(({ event }) => event),
  ]),
);

function timesOf(event: Pattern, counts: MomentCounts): number {
  return lookup(counts, keyOf(event)) ?? 0;
}

/**
 * Number of times that the trigger's moment occurred in a run with these counts; `undefined` if the trigger is a time.
 */
export function timesCame(trigger: Trigger, counts: MomentCounts): number | undefined {
  if (trigger.kind !== "when" || trigger.condition.event === undefined) return undefined;
  return timesOf(trigger.condition.event, counts);
}

/**
 * Draws a trigger at a moment. With `came`, four of five are moments that occurred in that run: steps that wait for a
 * moment which does not occur never run.
 */
export function drawMoment({ random, area, disturbMs, chance, came = {} }: Scene): Trigger {
  const apt = moments.filter(({ areas }) => areas === undefined || areas.includes(area));
  const seen = apt.filter(({ event }) => timesOf(event, came) > 0);
  const isSeen = seen.length > 0 && chance(SEEN_PER_MILLE);
  const { event, most } = random.pick(isSeen ? seen : apt);
  const last = isSeen ? Math.min(most, timesOf(event, came)) : most;
  // The first such event of a run occurs in more plans than the fortieth, or one in the second half of the run.
  const count = chance(600) ? 1 : random.int(1, last);
  return {
    kind: "when",
    condition: { event, count },
    fromMs: chance(600) ? 0 : random.int(0, disturbMs >> 1),
    toMs: disturbMs,
  };
}

const SEEN_PER_MILLE = 800;
