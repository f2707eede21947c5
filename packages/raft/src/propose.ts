/** Proposals at the leader, and what follows when entries have been applied. */
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

/** Appends proposals to the leader's log and replicates them, or drops them all. */
export function proposeAsLeader(raft: Raft, proposals: readonly Entry[]): StepResult {
  assert(proposals.length > 0, `${hex(raft.id)} stepped empty MsgProp`);
  // A leader that has been removed goes on replicating what is there, and takes nothing new.
  if (!raft.tracker.progress.has(raft.id)) return proposalDropped;
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

/** The entries have been applied by the driver. */
export function entriesApplied(raft: Raft, entries: readonly Entry[]): void {
  const last = entries.at(-1);
  if (last === undefined) return;
  appliedTo(raft, last.index, encodedSizes(entries));
  releaseUncommitted(raft, payloadSizes(entries));
}

/** The snapshot is durable and applied. */
export function snapshotApplied(raft: Raft, snapshot: Snapshot): void {
  stableSnapshotTo(raft.log.unstable, snapshot.index);
  appliedTo(raft, snapshot.index, 0);
}

/** The data of the change that leaves a joint configuration is empty, so that no size limit refuses it. */
const leaveJointProposal: Entry = {
  kind: "EntryConfChangeV2",
  term: 0,
  index: 0,
  data: emptyBytes,
};

function appliedTo(raft: Raft, index: number, size: number): void {
  const applied = Math.max(index, raft.log.applied);
  logAppliedTo(raft.log, applied, size);

  const { configuration } = raft.tracker;
  const isDue = configuration.autoLeave && applied >= raft.pendingConfIndex;
  if (!isDue || raft.role !== "StateLeader") return;
  // A dropped proposal is tried again with the next applied entry, here or at the next leader.
  const result = proposeAsLeader(raft, [leaveJointProposal]);
  const transition = `automatic transition out of joint configuration ${describeConfiguration(configuration)}`;
  if (result.kind === "accepted") raft.logger?.info(`initiating ${transition}`);
  else raft.logger?.debug(`not initiating ${transition}: raft proposal dropped`);
}
