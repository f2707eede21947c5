/**
 * Proposals at the leader, and the consequences of applied entries (`stepLeader` for MsgProp, `appliedTo` of
 * etcd-io/raft).
 */
import { assert, emptyBytes } from "@orrery/stdx";
import { describeConfiguration } from "./describe-progress.ts";
import { encodedSizes, payloadSizes } from "./entry-size.ts";
import { appliedTo as logAppliedTo } from "./log.ts";
import { screenConfChanges } from "./membership.ts";
import { none } from "./message.ts";
import { accepted, hex, proposalDropped, type Raft } from "./raft.ts";
import { appendEntries, broadcastAppend, releaseUncommitted } from "./replication.ts";
import type { Entry, Snapshot, StepResult } from "./types.ts";
import { stableSnapshotTo } from "./unstable.ts";

/** Appends proposals to the leader's log and replicates them, or drops all of them. */
export function proposeAsLeader(raft: Raft, proposals: readonly Entry[]): StepResult {
  assert(proposals.length > 0, `${hex(raft.id)} stepped empty MsgProp`);
  // A leader that has been removed replicates the entries that it has and accepts no new ones.
  if (!raft.tracker.progress.has(raft.id)) return proposalDropped;
  // A target catches up only if the leader's log does not grow, and an entry appended after MsgTimeoutNow might be
  // lost with the leadership (dissertation, section 3.10).
  if (raft.leadTransferee !== none) {
    raft.logger?.debug(
      `${hex(raft.id)} [term ${raft.term}] transfer leadership to ${hex(raft.leadTransferee)} ` +
        "is in progress; dropping proposal",
    );
    return proposalDropped;
  }
  if (!appendEntries(raft, screenConfChanges(raft, proposals))) return proposalDropped;
  broadcastAppend(raft);
  return accepted;
}

/** Reports that the driver has applied these entries. */
export function entriesApplied(raft: Raft, entries: readonly Entry[]): void {
  const last = entries.at(-1);
  if (last === undefined) return;
  appliedTo(raft, last.index, encodedSizes(entries));
  releaseUncommitted(raft, payloadSizes(entries));
}

/** Reports that the snapshot is durable and applied. */
export function snapshotApplied(raft: Raft, snapshot: Snapshot): void {
  stableSnapshotTo(raft.log.unstable, snapshot.index);
  appliedTo(raft, snapshot.index, 0);
}

/** The change that leaves a joint configuration has no data, so that no size limit refuses it. */
const leaveJointProposal: Entry = {
  kind: "EntryConfChangeV2",
  term: 0,
  index: 0,
  data: emptyBytes,
};

/**
 * Moves the applied index, and leaves a joint configuration that is to be left automatically. Condition for leaving:
 * the change that entered it is applied here, so `pendingConfIndex` does not refuse the proposal. Late reports never
 * move the index back.
 */
function appliedTo(raft: Raft, index: number, size: number): void {
  const applied = Math.max(index, raft.log.applied);
  logAppliedTo(raft.log, applied, size);

  const { configuration } = raft.tracker;
  const isDue = configuration.autoLeave && applied >= raft.pendingConfIndex;
  if (!isDue || raft.role !== "StateLeader") return;
  // A dropped proposal is retried with the next applied entry, here or at the next leader: its first entry is one.
  const result = proposeAsLeader(raft, [leaveJointProposal]);
  const transition = `automatic transition out of joint configuration ${describeConfiguration(configuration)}`;
  if (result.kind === "accepted") raft.logger?.info(`initiating ${transition}`);
  else raft.logger?.debug(`not initiating ${transition}: raft proposal dropped`);
}
