/**
 * One member of a Raft group, driven from outside.
 *
 * The order in which the driver acts is the contract: see `Ready`. Nothing here reads a clock or draws a number; the
 * driver calls `tick` and the configuration brings the election timeouts.
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

/** The node continues from what the storage holds; a node with an empty storage waits to be sent a snapshot. */
export function createRawNode(config: Config, storage: StorageReader): RawNode {
  return rawNodeOf(startRaft(config, storage));
}

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

/** Drives the state given; tests keep the state to look inside. */
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

/** A node and what its driver was told last. */
interface Driver {
  readonly raft: Raft;
  softState: SoftState;
  hardState: HardState;
  /** Without async storage writes: what the node tells itself once the work of the last Ready is done. */
  stepsOnAdvance: Message[];
}

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

function ready(driver: Driver): Ready {
  const { raft } = driver;
  const { log } = raft;
  const entries = nextUnstableEntries(log.unstable);
  const committedEntries = nextCommittedEntries(log, mayApplyUnstable(raft));
  const softState = hasSoftStateChanged(driver) ? softStateOf(raft) : undefined;
  const isHardStateNew = hasHardStateChanged(driver) && !isEmpty(hardStateOf(raft));
  const hardState = isHardStateNew ? hardStateOf(raft) : undefined;
  const snapshot = nextUnstableSnapshot(log.unstable);
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
  accept(driver, result);
  return result;
}

/** The driver will carry out the Ready: the next one must not contain it again. */
function accept(driver: Driver, { softState, hardState, snapshot, committedEntries }: Ready): void {
  const { raft } = driver;
  driver.softState = softState ?? driver.softState;
  driver.hardState = hardState ?? driver.hardState;
  raft.readStates = [];
  if (!raft.settings.asyncStorageWrites) {
    assert(
      driver.stepsOnAdvance.length === 0,
      "two accepted Ready structs without call to Advance",
    );
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

/** With one thread, entries are made durable before they are applied; with two, that must be waited for. */
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
