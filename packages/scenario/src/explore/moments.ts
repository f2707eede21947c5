/** Moments of a cluster at which it is worth going wrong: what is under way begins with an event of the trace. */
import type { Condition, Trigger } from "../plan.ts";
import type { Area, Scene } from "./scene.ts";

type Pattern = NonNullable<Condition["event"]>;

interface Moment {
  readonly event: Pattern;
  /** The n-th such event may be meant, up to this. */
  readonly most: number;
  /** Of plans about something else it is no moment. */
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
  // Following, and what dangles.
  { event: { kind: "retention-lease-changed" }, most: 4, areas: ["leases"] },
  { event: { kind: "remote-replication-changed" }, most: 4, areas: ["leases"] },
  { event: { kind: "remote-replication-checkpoint" }, most: 12, areas: ["leases"] },
  { event: { kind: "dangling-index-imported" }, most: 2, areas: ["dangling"] },
];

/** Once, while something is under way. */
export function drawMoment({ random, area, disturbMs, chance }: Scene): Trigger {
  const apt = moments.filter(({ areas }) => areas === undefined || areas.includes(area));
  const { event, most } = random.pick(apt);
  // The first such event of the run comes in more plans than the fortieth, or one of its second half.
  const count = chance(600) ? 1 : random.int(1, most);
  return {
    kind: "when",
    condition: { event, count },
    fromMs: chance(600) ? 0 : random.int(0, disturbMs >> 1),
    toMs: disturbMs,
  };
}
