/**
 * One member of a Raft group, driven from outside (`RawNode` of etcd-io/raft).
 *
 * The order in which the driver acts is the contract: see `Ready`. This file translates calls into messages, and the
 * state of the machine into Ready values. Time comes from the driver's calls of `tick`, election timeouts from the
 * configuration.
 */
import { assert } from "@orrery/stdx";
import { settingsOf } from "./config.ts";
import { encodeConfChange } from "./conf-change.ts";
import { encodedSizes } from "./entry-size.ts";
import { isImplausible } from "./implausible.ts";
import {
  acceptApplying,
  appliedTo,
  hasNextCommittedEntries,
  hasNextUnstableSnapshot,
  lastPosition,
  nextCommittedEntries,
} from "./log.ts";
import { applyConfChange, restoreMembership } from "./membership.ts";
import {
  isLocalKind,
  isLocalTarget,
  isResponseKind,
  newMessage,
  newProposal,
  none,
} from "./message.ts";
import { progressStatus } from "./progress.ts";
import { voterIds } from "./quorum.ts";
import { createRaft, hardStateOf, hex, softStateOf, type Raft } from "./raft.ts";
import { becomeFollower } from "./roles.ts";
import { basicStatusOf, statusOf } from "./status.ts";
import { step, tick } from "./step.ts";
import {
  storageAppend,
  storageAppendResponse,
  storageApply,
  storageApplyResponse,
} from "./storage-messages.ts";
import type {
  Config,
  HardState,
  Message,
  RawNode,
  Ready,
  SoftState,
  StepResult,
  StorageReader,
} from "./types.ts";
import {
  acceptInProgress,
  hasNextUnstableEntries,
  nextUnstableEntries,
  nextUnstableSnapshot,
} from "./unstable.ts";

/**
 * A node that continues from what the storage holds. A node with an empty storage is no member of any configuration
 * yet: it waits for a snapshot.
 */
export function createRawNode(config: Config, storage: StorageReader): RawNode {
  return rawNodeOf(startRaft(config, storage));
}

/**
 * The state of a node after a start: membership, term, vote and commit index as stored. The commit index is loaded
 * before the applied index, which it bounds. The node starts as a follower without a leader, also if it led before:
 * it cannot know whether another node has won a later term since.
 */
export function startRaft(config: Config, storage: StorageReader): Raft {
  const settings = settingsOf(config);
  const raft = createRaft(settings, storage);
  const { hardState, confState } = storage.initialState();
  restoreMembership(raft, confState);
  if (!isEmpty(hardState)) loadHardState(raft, hardState);
  if (settings.applied > 0) appliedTo(raft.log, settings.applied, 0);
  becomeFollower(raft, raft.term, none);
  const last = lastPosition(raft.log);
  raft.logger?.info(
    `newRaft ${hex(raft.id)} [peers: [${voterIds(raft.tracker.configuration).map(hex).join(",")}], ` +
      `term: ${raft.term}, commit: ${raft.log.committed}, applied: ${raft.log.applied}, ` +
      `lastindex: ${last.index}, lastterm: ${last.term}]`,
  );
  return raft;
}

/** Drives the given state; tests keep the state to inspect it. */
export function rawNodeOf(raft: Raft): RawNode {
  const driver: Driver = {
    raft,
    softState: softStateOf(raft),
    hardState: hardStateOf(raft),
    stepsOnAdvance: [],
  };
  const local = (fields: Partial<Message> & Pick<Message, "kind">): StepResult =>
    step(raft, newMessage(fields));
  return {
    tick: () => tick(raft),
    step: (message) => stepFromOutside(raft, message),
    campaign: () => local({ kind: "MsgHup" }),
    propose: (data) => local({ kind: "MsgProp", from: raft.id, entries: [newProposal(data)] }),
    proposeConfChange: (change) =>
      local({ kind: "MsgProp", entries: [{ ...encodeConfChange(change), term: 0, index: 0 }] }),
    applyConfChange: (change, index) => applyConfChange(raft, change, index),
    hasReady: () => hasReady(driver),
    ready: () => ready(driver),
    advance: () => advance(driver),
    readIndex: (requestContext) => {
      local({ kind: "MsgReadIndex", entries: [newProposal(requestContext)] });
    },
    transferLeader: (to) => {
      local({ kind: "MsgTransferLeader", from: to });
    },
    forgetLeader: () => local({ kind: "MsgForgetLeader" }),
    reportUnreachable: (id) => {
      local({ kind: "MsgUnreachable", from: id });
    },
    reportSnapshot: (id, outcome) => {
      local({ kind: "MsgSnapStatus", from: id, reject: outcome === "failed" });
    },
    basicStatus: () => basicStatusOf(raft),
    status: () => statusOf(raft),
    withProgress: (visit) => {
      for (const [id, progress] of raft.tracker.progress) visit(id, progressStatus(progress));
    },
  };
}

/** A node, and the soft and hard state that its driver received last. */
interface Driver {
  readonly raft: Raft;
  softState: SoftState;
  hardState: HardState;
  /** Without async storage writes: messages of the node to itself, stepped once the work of the last Ready is done. */
  stepsOnAdvance: Message[];
}

/** The commit index must be in the log: otherwise the storage has lost entries that were acknowledged. */
function loadHardState(raft: Raft, state: HardState): void {
  const last = lastPosition(raft.log).index;
  assert(
    state.commit >= raft.log.committed && state.commit <= last,
    `${hex(raft.id)} state.commit ${state.commit} is out of range [${raft.log.committed}, ${last}]`,
  );
  raft.log.committed = state.commit;
  raft.term = state.term;
  raft.vote = state.vote;
}

/**
 * The gate for messages of other nodes and of storage. Local kinds are commands of this node's driver; answers of
 * nodes outside the configuration have no progress to update. The own id is trusted: it marks messages of this node
 * that return.
 */
function stepFromOutside(raft: Raft, message: Message): StepResult {
  const isFromStorage = isLocalTarget(message.from);
  if (isLocalKind(message.kind) && !isFromStorage) {
    return { kind: "rejected", reason: "step-local-message" };
  }
  const isFromStranger = !isFromStorage && !raft.tracker.progress.has(message.from);
  if (isResponseKind(message.kind) && isFromStranger) {
    return { kind: "rejected", reason: "step-peer-not-found" };
  }
  if (!isFromStorage && message.from !== raft.id && isImplausible(raft, message)) {
    return { kind: "rejected", reason: "step-implausible-message" };
  }
  return step(raft, message);
}

/** True in exactly the cases in which `ready` would have content. */
function hasReady(driver: Driver): boolean {
  const { raft } = driver;
  const { log } = raft;
  return (
    raft.messages.length > 0 ||
    raft.messagesAfterAppend.length > 0 ||
    hasSoftStateChanged(driver) ||
    (hasHardStateChanged(driver) && !isEmpty(hardStateOf(raft))) ||
    hasNextUnstableEntries(log.unstable) ||
    hasNextCommittedEntries(log, mayApplyUnstable(raft)) ||
    hasNextUnstableSnapshot(log) ||
    raft.readStates.length > 0
  );
}

/**
 * Collects the outstanding work. With async storage writes the storage messages come last in `messages`, after the
 * messages to other nodes: those need not wait for the disk.
 */
function ready(driver: Driver): Ready {
  const { raft } = driver;
  const { log } = raft;
  const entries = nextUnstableEntries(log.unstable);
  const committedEntries = nextCommittedEntries(log, mayApplyUnstable(raft));
  const softState = hasSoftStateChanged(driver) ? softStateOf(raft) : undefined;
  const isHardStateNew = hasHardStateChanged(driver) && !isEmpty(hardStateOf(raft));
  const hardState = isHardStateNew ? hardStateOf(raft) : undefined;
  const snapshot = nextUnstableSnapshot(log.unstable);
  // A commit index need not be durable by itself: a restarted node learns it again from the leader.
  const mustSync =
    entries.length > 0 ||
    raft.vote !== driver.hardState.vote ||
    raft.term !== driver.hardState.term;
  const { messages } = raft;
  if (raft.settings.asyncStorageWrites) {
    const append = storageAppend(raft, { entries, hardState, snapshot });
    if (append !== undefined) messages.push(append);
    const apply = storageApply(raft, committedEntries);
    if (apply !== undefined) messages.push(apply);
  } else {
    // The driver persists before it sends, so messages that wait for durable state can go out with the same Ready.
    // Messages to this node itself are stepped by `advance`.
    for (const message of raft.messagesAfterAppend) {
      if (message.to !== raft.id) messages.push(message);
    }
  }
  const { readStates } = raft;
  const result: Ready = {
    softState,
    hardState,
    readStates,
    entries,
    snapshot,
    committedEntries,
    messages,
    mustSync,
  };
  acceptReady(driver, result);
  return result;
}

/**
 * Marks the Ready as handed out: entries as being written, committed entries as being applied. The next Ready must
 * not contain them again, and the responses that `advance` will step are fixed now, because the log may change
 * before.
 */
function acceptReady(
  driver: Driver,
  { softState, hardState, snapshot, committedEntries }: Ready,
): void {
  const { raft } = driver;
  driver.softState = softState ?? driver.softState;
  driver.hardState = hardState ?? driver.hardState;
  raft.readStates = [];
  if (!raft.settings.asyncStorageWrites) {
    assert(
      driver.stepsOnAdvance.length === 0,
      "two accepted Ready structs without call to Advance",
    );
    // The node's own vote and acknowledgements come first, then storage responses: as with async storage writes,
    // where the response of storage is the last of the responses.
    const own = raft.messagesAfterAppend.filter((message) => message.to === raft.id);
    const responses = [
      storageAppendResponse(raft, snapshot),
      storageApplyResponse(raft, committedEntries),
    ];
    driver.stepsOnAdvance = [...own, ...responses.filter((message) => message !== undefined)];
  }
  raft.messages = [];
  raft.messagesAfterAppend = [];
  acceptInProgress(raft.log.unstable);
  const last = committedEntries.at(-1);
  if (last === undefined) return;
  acceptApplying(raft.log, last.index, encodedSizes(committedEntries), mayApplyUnstable(raft));
}

function advance(driver: Driver): void {
  assert(
    !driver.raft.settings.asyncStorageWrites,
    "Advance must not be called when using AsyncStorageWrites",
  );
  for (const message of driver.stepsOnAdvance) step(driver.raft, message);
  driver.stepsOnAdvance = [];
}

/**
 * Whether committed entries may be handed out for application in the Ready that also persists them. Without async
 * storage writes the driver persists first; with them the two targets run concurrently, so only durable entries may
 * be applied.
 */
function mayApplyUnstable(raft: Raft): boolean {
  return !raft.settings.asyncStorageWrites;
}

function hasSoftStateChanged({ raft, softState }: Driver): boolean {
  return raft.lead !== softState.lead || raft.role !== softState.role;
}

function hasHardStateChanged({ raft, hardState }: Driver): boolean {
  return (
    raft.term !== hardState.term ||
    raft.vote !== hardState.vote ||
    raft.log.committed !== hardState.commit
  );
}

function isEmpty({ term, vote, commit }: HardState): boolean {
  return term === 0 && vote === none && commit === 0;
}
