/**
 * Changes of the configuration: simple (one voter), into and out of joint consensus, and from a ConfState (paper,
 * section 6; `confchange/confchange.go` of etcd-io/raft).
 *
 * Pure: each function takes a tracker and returns the next configuration and progress, or the reason for a refusal.
 * Surviving progress is copied, so a refused change leaves no trace. Invariants, checked before and after: every node
 * of the configuration has progress; a staged learner is an outgoing voter and not yet a learner; no node is both
 * learner and voter; a simple configuration has neither staged learners nor `autoLeave`.
 */
import { createProgress, type Progress } from "./progress.ts";
import { ascending, voterIds } from "./quorum.ts";
import { isJoint, type ProgressMap, type Tracker } from "./tracker.ts";
import type { ConfChangeSingle, Configuration, ConfState } from "./types.ts";

/** The configuration after a change, with the progress of each of its nodes. */
interface Changed {
  readonly kind: "changed";
  readonly configuration: Configuration;
  readonly progress: ProgressMap;
}

export type ConfigurationResult = Changed | { readonly kind: "refused"; readonly reason: string };

/** The part of a tracker that a change starts from. */
export type Base = Pick<
  Tracker,
  "configuration" | "progress" | "maxInflightMsgs" | "maxInflightBytes"
>;

/** A configuration to change. Probing of a new node starts at `lastIndex`. */
export interface Changer {
  readonly base: Base;
  readonly lastIndex: number;
}

/**
 * Applies changes that together add or remove at most one voter. Old and new majorities then have a node in common,
 * so no joint configuration is needed (dissertation, section 4.1).
 */
export function changeSimply(
  changer: Changer,
  changes: readonly ConfChangeSingle[],
): ConfigurationResult {
  if (isJoint(changer.base.configuration)) {
    return refused("can't apply simple config change in joint config");
  }
  const draft = draftOf(changer);
  const refusal = draft.violation ?? applyAll(draft, changes);
  if (refusal !== undefined) return refused(refusal);
  if (differences(changer.base.configuration.incoming, draft.incoming) > 1) {
    return refused("more than one voter changed without entering joint config");
  }
  return finish(draft);
}

/** Makes the current voters the outgoing half and applies the changes to the incoming half. */
export function enterJoint(
  changer: Changer,
  autoLeave: boolean,
  changes: readonly ConfChangeSingle[],
): ConfigurationResult {
  const draft = draftOf(changer);
  if (draft.violation !== undefined) return refused(draft.violation);
  if (draft.outgoing.size > 0) return refused("config is already joint");
  // An empty configuration may grow by simple changes, for bootstrap. As outgoing half it would agree to everything.
  if (draft.incoming.size === 0) return refused("can't make a zero-voter config joint");
  // Before the changes: they ask for the outgoing half when they turn a voter into a learner.
  draft.outgoing = new Set(draft.incoming);
  const refusal = applyAll(draft, changes);
  if (refusal !== undefined) return refused(refusal);
  draft.autoLeave = autoLeave;
  return finish(draft);
}

/** Drops the outgoing half: its voters leave, or become the learners that they were staged to be. */
export function leaveJoint(changer: Changer): ConfigurationResult {
  const draft = draftOf(changer);
  if (draft.violation !== undefined) return refused(draft.violation);
  if (draft.outgoing.size === 0) return refused("can't leave a non-joint config");
  for (const id of draft.learnersNext) {
    draft.learners.add(id);
    const progress = draft.progress.get(id);
    if (progress !== undefined) progress.isLearner = true;
  }
  draft.learnersNext = new Set();
  for (const id of draft.outgoing) {
    if (!draft.incoming.has(id) && !draft.learners.has(id)) draft.progress.delete(id);
  }
  draft.outgoing = new Set();
  draft.autoLeave = false;
  return finish(draft);
}

/**
 * Rebuilds the configuration that a ConfState describes, starting from the changer's (empty) base. The result goes
 * through the same checks as any change.
 */
export function restoreConfiguration(changer: Changer, state: ConfState): ConfigurationResult {
  const add = (nodeId: number): ConfChangeSingle => ({ type: "ConfChangeAddNode", nodeId });
  const learn = (nodeId: number): ConfChangeSingle => ({
    type: "ConfChangeAddLearnerNode",
    nodeId,
  });
  const incoming = [
    ...state.votersOutgoing.map((nodeId): ConfChangeSingle => ({
      type: "ConfChangeRemoveNode",
      nodeId,
    })),
    ...state.voters.map(add),
    ...state.learners.map(learn),
    ...state.learnersNext.map(learn),
  ];
  // A joint state is built as it came about: first the outgoing half by simple changes, then the joint change, which
  // removes all outgoing voters and adds the incoming ones.
  const isJointState = state.votersOutgoing.length > 0;
  const singles = isJointState ? state.votersOutgoing.map(add) : incoming;
  const { configuration, progress } = changer.base;
  let next: ConfigurationResult = { kind: "changed", configuration, progress };
  for (const single of singles) {
    next = changeSimply(changerAfter(changer, next), [single]);
    if (next.kind === "refused") return next;
  }
  if (!isJointState) return next;
  return enterJoint(changerAfter(changer, next), state.autoLeave, incoming);
}

function changerAfter(changer: Changer, { configuration, progress }: Changed): Changer {
  return { base: { ...changer.base, configuration, progress }, lastIndex: changer.lastIndex };
}

/** A configuration under construction; mutable, and discarded if a change is refused. */
interface Draft {
  readonly changer: Changer;
  readonly incoming: Set<number>;
  outgoing: Set<number>;
  readonly learners: Set<number>;
  learnersNext: Set<number>;
  autoLeave: boolean;
  readonly progress: Map<number, Progress>;
  /** The invariant that the base breaks already; undefined when it breaks none. */
  readonly violation: string | undefined;
}

function draftOf(changer: Changer): Draft {
  const { configuration, progress } = changer.base;
  const copies = new Map<number, Progress>();
  for (const [id, value] of progress) copies.set(id, { ...value });
  return {
    changer,
    incoming: new Set(configuration.incoming),
    outgoing: new Set(configuration.outgoing),
    learners: new Set(configuration.learners),
    learnersNext: new Set(configuration.learnersNext),
    autoLeave: configuration.autoLeave,
    progress: copies,
    violation: violationOf(configuration, copies),
  };
}

/** Applies changes in order to the incoming half; the result is the reason for a refusal. */
function applyAll(draft: Draft, changes: readonly ConfChangeSingle[]): string | undefined {
  for (const { type, nodeId } of changes) {
    // A driver that decides not to apply a change replaces its node id by zero.
    if (nodeId === 0) continue;
    if (type === "ConfChangeAddNode") makeVoter(draft, nodeId);
    else if (type === "ConfChangeAddLearnerNode") makeLearner(draft, nodeId);
    else if (type === "ConfChangeRemoveNode") remove(draft, nodeId);
  }
  return draft.incoming.size === 0 ? "removed all voters" : undefined;
}

function makeVoter(draft: Draft, id: number): void {
  const progress = draft.progress.get(id);
  draft.incoming.add(id);
  if (progress === undefined) {
    track(draft, id, false);
    return;
  }
  progress.isLearner = false;
  draft.learners.delete(id);
  draft.learnersNext.delete(id);
}

/** Makes a node a learner: at once, or, as a voter of the outgoing half, when the joint configuration is left. */
function makeLearner(draft: Draft, id: number): void {
  const progress = draft.progress.get(id);
  if (progress === undefined) {
    draft.learners.add(id);
    track(draft, id, true);
    return;
  }
  if (progress.isLearner) return;
  remove(draft, id);
  draft.progress.set(id, progress);
  // A voter of the outgoing half cannot be a learner yet: it is staged, and becomes one when the half is dropped.
  if (draft.outgoing.has(id)) {
    draft.learnersNext.add(id);
    return;
  }
  progress.isLearner = true;
  draft.learners.add(id);
}

/** Removes a node. An outgoing voter keeps its progress: its acknowledgements still count in the outgoing half. */
function remove(draft: Draft, id: number): void {
  if (!draft.progress.has(id)) return;
  draft.incoming.delete(id);
  draft.learners.delete(id);
  draft.learnersNext.delete(id);
  if (!draft.outgoing.has(id)) draft.progress.delete(id);
}

function track(draft: Draft, id: number, isLearner: boolean): void {
  const { base, lastIndex } = draft.changer;
  draft.progress.set(
    id,
    createProgress({
      match: 0,
      next: Math.max(lastIndex, 1),
      isLearner,
      // Otherwise a quorum check right after the change would count the new node as dead.
      recentActive: true,
      maxInflightMsgs: base.maxInflightMsgs,
      maxInflightBytes: base.maxInflightBytes,
    }),
  );
}

/** Checks the draft and freezes it, in ascending order of ids. */
function finish(draft: Draft): ConfigurationResult {
  const configuration: Configuration = {
    incoming: new Set(ascending(draft.incoming)),
    outgoing: new Set(ascending(draft.outgoing)),
    learners: new Set(ascending(draft.learners)),
    learnersNext: new Set(ascending(draft.learnersNext)),
    autoLeave: draft.autoLeave,
  };
  const violation = violationOf(configuration, draft.progress);
  if (violation !== undefined) return refused(violation);
  const progress = new Map([...draft.progress].toSorted(([a], [b]) => a - b));
  return { kind: "changed", configuration, progress };
}

/** The first broken invariant, in the words of etcd; undefined when all hold. */
function violationOf(configuration: Configuration, progress: ProgressMap): string | undefined {
  const { incoming, outgoing, learners, learnersNext } = configuration;
  for (const ids of [voterIds(configuration), learners, learnersNext]) {
    for (const id of ids) if (!progress.has(id)) return `no progress for ${id}`;
  }
  for (const id of learnersNext) {
    if (!outgoing.has(id)) return `${id} is in LearnersNext, but not Voters[1]`;
    if (progress.get(id)?.isLearner === true) {
      return `${id} is in LearnersNext, but is already marked as learner`;
    }
  }
  for (const id of learners) {
    if (outgoing.has(id)) return `${id} is in Learners and Voters[1]`;
    if (incoming.has(id)) return `${id} is in Learners and Voters[0]`;
    if (progress.get(id)?.isLearner !== true) {
      return `${id} is in Learners, but is not marked as learner`;
    }
  }
  if (isJoint(configuration)) return undefined;
  if (learnersNext.size > 0) return "cfg.LearnersNext must be nil when not joint";
  return configuration.autoLeave ? "AutoLeave must be false when not joint" : undefined;
}

/** The number of ids that are in exactly one of the sets. */
function differences(left: ReadonlySet<number>, right: ReadonlySet<number>): number {
  let count = 0;
  for (const id of left) if (!right.has(id)) count += 1;
  for (const id of right) if (!left.has(id)) count += 1;
  return count;
}

function refused(reason: string): ConfigurationResult {
  return { kind: "refused", reason };
}
