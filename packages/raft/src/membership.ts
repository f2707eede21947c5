/**
 * Configuration changes in the log: which proposals are let in, what applying one does, leaving by itself.
 *
 * One change at a time: a second is only accepted once the first is applied, or two majorities that do not
 * meet could come into being.
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
 * The proposals as a leader lets them into its log: a configuration change that may not follow what is there becomes
 * an empty entry.
 */
export function screenConfChanges(raft: Raft, proposals: readonly Entry[]): readonly Entry[] {
  return proposals.map((proposal, at) => {
    const change = decodeConfChange(proposal);
    if (change === undefined) return proposal;
    const complaint = objection(raft, change);
    if (complaint !== undefined && !raft.settings.disableConfChangeValidation) {
      raft.logger?.info(
        `${hex(raft.id)} ignoring conf change ${describeConfChange(change)} at config ` +
          `${describeConfiguration(raft.tracker.configuration)}: ${complaint}`,
      );
      return emptyProposal;
    }
    raft.pendingConfIndex = lastIndex(raft.log) + at + 1;
    return proposal;
  });
}

function objection(raft: Raft, change: ConfChange): string | undefined {
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

/** Makes a committed change effective. */
export function applyConfChange(raft: Raft, change: ConfChange, index?: number): ConfState {
  // The configuration of a snapshot contains every change up to it.
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

/** Replaces the configuration by the one a snapshot or a restart brings. */
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
    // A leader outside the configuration replicates without counting itself, unless asked to step down.
    if (raft.settings.stepDownOnRemoval) becomeFollower(raft, raft.term, none);
    return state;
  }
  if (state.voters.length === 0) return state;
  announce(raft);
  if (raft.leadTransferee !== none && !isVoter(tracker.configuration, raft.leadTransferee)) {
    raft.leadTransferee = none;
  }
  return state;
}

/** A smaller quorum may commit more at once; and new nodes are probed without waiting for a heartbeat. */
function announce(raft: Raft): void {
  if (maybeCommit(raft)) {
    broadcastAppend(raft);
    return;
  }
  for (const id of raft.tracker.progress.keys()) {
    if (id !== raft.id) maybeSendAppend(raft, id, "if-any");
  }
}

/** Ids may be stored in any order. */
function isEquivalent(left: ConfState, right: ConfState): boolean {
  const key = (state: ConfState): string =>
    [state.voters, state.learners, state.votersOutgoing, state.learnersNext]
      .map((ids) => ascending(ids).join(" "))
      .join("|");
  return key(left) === key(right) && left.autoLeave === right.autoLeave;
}
