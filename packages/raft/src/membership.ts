/**
 * Configuration changes in the log: which proposals a leader accepts, the effect of applying one, and the end of a
 * joint configuration (paper, section 6; `applyConfChange`, `switchToConfig` of etcd-io/raft).
 *
 * One change at a time: a second is accepted only once the first is applied. Two unapplied changes could make two
 * majorities that have no node in common, and each could commit its own entries (INV-COMMIT-1). A change takes effect
 * when it is applied, not when it is appended as in the paper: a node that truncates its log then has no change to
 * undo.
 */
import { assert } from "@orrery/stdx";
import { asV2, decodeConfChange, jointEntry, leavesJoint } from "./conf-change.ts";
import {
  changeSimply,
  enterJoint,
  leaveJoint,
  restoreConfiguration,
  type Changer,
  type ConfigurationResult,
} from "./configuration.ts";
import { describeConfChange } from "./describe.ts";
import { describeConfiguration } from "./describe-progress.ts";
import { lastIndex } from "./log.ts";
import { emptyProposal, none } from "./message.ts";
import { ascending } from "./quorum.ts";
import { hex, type Raft } from "./raft.ts";
import { broadcastAppend, maybeCommit, maybeSendAppend } from "./replication.ts";
import { becomeFollower } from "./roles.ts";
import { confStateOf, createTracker, isJoint, isVoter } from "./tracker.ts";
import type { ConfChange, ConfState, Entry } from "./types.ts";

/**
 * Screens proposals before a leader appends them. A configuration change that is not allowed in the current state
 * becomes an empty entry, so that the other proposals keep their indexes.
 */
export function screenConfChanges(raft: Raft, proposals: readonly Entry[]): readonly Entry[] {
  return proposals.map((proposal, at) => {
    const change = decodeConfChange(proposal);
    if (change === undefined) return proposal;
    const refusal = refusalOf(raft, change);
    if (refusal !== undefined && !raft.settings.disableConfChangeValidation) {
      raft.logger?.info(
        `${hex(raft.id)} ignoring conf change ${describeConfChange(change)} at config ` +
          `${describeConfiguration(raft.tracker.configuration)}: ${refusal}`,
      );
      return emptyProposal;
    }
    // Set before the next proposal is screened: of two changes in one message the second is refused.
    raft.pendingConfIndex = lastIndex(raft.log) + at + 1;
    return proposal;
  });
}

/**
 * Why a change may not enter the log; undefined when it may. A joint configuration must be left before anything else,
 * and only a joint one can be left.
 */
function refusalOf(raft: Raft, change: ConfChange): string | undefined {
  const { pendingConfIndex, log, tracker } = raft;
  if (pendingConfIndex > log.applied) {
    return `possible unapplied conf change at index ${pendingConfIndex} (applied to ${log.applied})`;
  }
  const wantsToLeave = asV2(change).changes.length === 0;
  if (isJoint(tracker.configuration)) {
    return wantsToLeave ? undefined : "must transition out of joint config first";
  }
  return wantsToLeave ? "not in joint state; refusing empty conf change" : undefined;
}

/**
 * Makes a committed change effective and returns the new membership. A change whose `index` a restored snapshot covers has
 * no effect. All nodes apply the same changes in the same
 * order and so have the same configuration at the same index.
 */
export function applyConfChange(raft: Raft, change: ConfChange, index?: number): ConfState {
  // A snapshot that was restored while the change waited to be applied contains every change up to its index.
  if (index !== undefined && index <= raft.restoredIndex) {
    return confStateOf(raft.tracker.configuration);
  }
  const v2 = asV2(change);
  const changer: Changer = { base: raft.tracker, lastIndex: lastIndex(raft.log) };
  if (leavesJoint(v2)) return switchTo(raft, leaveJoint(changer));
  const entry = jointEntry(v2);
  if (entry === "direct") return switchTo(raft, changeSimply(changer, v2.changes));
  return switchTo(raft, enterJoint(changer, entry === "joint-auto-leave", v2.changes));
}

/**
 * Replaces the configuration by that of a snapshot or of the storage at start. The tracker begins empty: progress of
 * the old configuration says nothing about the new log.
 */
export function restoreMembership(raft: Raft, state: ConfState): void {
  const { maxInflightMsgs, maxInflightBytes } = raft.tracker;
  raft.tracker = createTracker(maxInflightMsgs, maxInflightBytes);
  const base = raft.tracker;
  const restored = restoreConfiguration({ base, lastIndex: lastIndex(raft.log) }, state);
  const actual = switchTo(raft, restored);
  assert(
    isEquivalent(state, actual),
    `ConfStates not equivalent after sorting: ${JSON.stringify(state)} ${JSON.stringify(actual)}`,
  );
}

/**
 * Installs a configuration and does what follows from it at this node. A committed change that cannot be made is a
 * bug of its proposer: no node could apply it.
 */
function switchTo(raft: Raft, result: ConfigurationResult): ConfState {
  assert(result.kind === "changed", result.kind === "refused" ? result.reason : "");
  const { tracker } = raft;
  tracker.configuration = result.configuration;
  tracker.progress = result.progress;
  raft.logger?.info(
    `${hex(raft.id)} switched to configuration ${describeConfiguration(tracker.configuration)}`,
  );
  const state = confStateOf(tracker.configuration);
  const own = tracker.progress.get(raft.id);
  raft.isLearner = own?.isLearner === true;
  if (raft.role !== "StateLeader") return state;
  if (own === undefined || raft.isLearner) {
    // A leader outside the configuration goes on replicating without counting itself (paper, section 6), so that the
    // change which removed it reaches the others. With `stepDownOnRemoval` it leaves that to the next leader.
    if (raft.settings.stepDownOnRemoval) becomeFollower(raft, raft.term, none);
    return state;
  }
  if (state.voters.length === 0) return state;
  announce(raft);
  // A target that is no voter any more cannot win; the transfer would block proposals until its timeout.
  if (raft.leadTransferee !== none && !isVoter(tracker.configuration, raft.leadTransferee)) {
    raft.leadTransferee = none;
  }
  return state;
}

/**
 * Commits and sends what the new configuration allows: a smaller quorum may commit more at once, and new nodes are
 * probed without waiting for a heartbeat.
 */
function announce(raft: Raft): void {
  if (maybeCommit(raft)) {
    broadcastAppend(raft);
    return;
  }
  for (const id of raft.tracker.progress.keys()) {
    if (id !== raft.id) maybeSendAppend(raft, id, "if-any");
  }
}

/** Whether two memberships are equal. Ids may be stored in any order. */
function isEquivalent(left: ConfState, right: ConfState): boolean {
  const key = (state: ConfState): string =>
    [state.voters, state.learners, state.votersOutgoing, state.learnersNext]
      .map((ids) => ascending(ids).join(" "))
      .join("|");
  return key(left) === key(right) && left.autoLeave === right.autoLeave;
}
