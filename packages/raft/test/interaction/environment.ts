/**
 * Several nodes, the messages between them, and what a driver does with their Ready: the world of the interaction
 * transcripts, after etcd-io/raft's rafttest package.
 *
 * The application is an appender: the data of a snapshot is all applied data so far, joined.
 */
import { concatBytes, emptyBytes, utf8Encode } from "@orrery/stdx";
import { asV2, decodeConfChange } from "../../src/conf-change.ts";
import {
  createMemoryStorage,
  describeEntries,
  describeMessage,
  describeReady,
  emptyConfState,
  isLocalTarget,
  noLimit,
} from "../../src/index.ts";
import type { Raft } from "../../src/raft.ts";
import { rawNodeOf, startRaft } from "../../src/raw-node.ts";
import type {
  Config,
  Entry,
  HardState,
  MemoryStorage,
  Message,
  MessageKind,
  RawNode,
  Snapshot,
  StepResult,
} from "../../src/types.ts";
import { createOutput, type Output } from "./output.ts";

export interface Node {
  readonly raft: Raft;
  readonly rawNode: RawNode;
  readonly storage: MemoryStorage;
  readonly config: Config;
  readonly appendWork: Message[];
  readonly applyWork: Message[];
  /** Snapshots taken after each applied entry. */
  readonly history: Snapshot[];
}

export interface Environment {
  readonly output: Output;
  readonly nodes: Node[];
  messages: Message[];
}

export interface Recipient {
  readonly id: number;
  readonly drop: boolean;
}

/** A complaint, printed as it is. */
export class TranscriptError extends Error {}

export function createEnvironment(): Environment {
  return { output: createOutput(), nodes: [], messages: [] };
}

export type ConfigChoices = Partial<Omit<Config, "id" | "logger">>;

export function addNodes(
  env: Environment,
  count: number,
  choices: ConfigChoices,
  bootstrap: Snapshot | undefined,
): void {
  for (let added = 0; added < count; added += 1) {
    const id = env.nodes.length + 1;
    const history: Snapshot[] = [
      bootstrap ?? { index: 0, term: 0, confState: emptyConfState, data: emptyBytes },
    ];
    const memory = createMemoryStorage();
    const storage: MemoryStorage = { ...memory, snapshot: () => latest(history) };
    if (bootstrap !== undefined) {
      if (bootstrap.index <= 1) {
        throw new TranscriptError("index must be specified as > 1 due to bootstrap");
      }
      storage.applySnapshot(bootstrap);
    }
    const config: Config = {
      electionTick: 3,
      heartbeatTick: 1,
      maxSizePerMsg: noLimit,
      maxInflightMsgs: 2 ** 31 - 1,
      randomizedElectionTimeout: (ticks) => ticks,
      ...choices,
      id,
      logger: env.output,
    };
    const raft = startRaft(config, storage);
    const rawNode = rawNodeOf(raft);
    env.nodes.push({ raft, rawNode, storage, config, appendWork: [], applyWork: [], history });
  }
}

export function nodeAt(env: Environment, id: number): Node {
  const node = env.nodes[id - 1];
  if (node === undefined) throw new Error(`there is no node ${id}`);
  return node;
}

export function check(result: StepResult): void {
  if (result.kind === "rejected") throw new TranscriptError(reasons[result.reason]);
}

const reasons = {
  "proposal-dropped": "raft proposal dropped",
  "step-local-message": "raft: cannot step raft local message",
  "step-peer-not-found": "raft: cannot step as peer not found",
  "step-implausible-message": "raft: no member sends such a message",
};

export function processReady(env: Environment, id: number): void {
  const node = nodeAt(env, id);
  const ready = node.rawNode.ready();
  env.output.write(describeReady(ready));
  const isAsync = node.config.asyncStorageWrites === true;
  if (!isAsync) {
    append(node, ready.hardState, ready.entries, ready.snapshot);
    apply(node, ready.committedEntries);
  }
  for (const message of ready.messages) {
    if (!isLocalTarget(message.to)) env.messages.push(message);
    else if (!isAsync) throw new Error("unexpected local msg target");
    else if (message.kind === "MsgStorageAppend") node.appendWork.push(message);
    else if (message.kind === "MsgStorageApply") node.applyWork.push(message);
    else throw new Error(`unexpected message type ${message.kind}`);
  }
  if (!isAsync) node.rawNode.advance();
}

export function processAppendThread(env: Environment, id: number): void {
  const node = nodeAt(env, id);
  const message = node.appendWork.shift();
  if (message === undefined) {
    env.output.write("no append work to perform");
    return;
  }
  processWork(env, message, () => {
    const { term, vote, commit } = message;
    const isEmpty = term === 0 && vote === 0 && commit === 0;
    append(node, isEmpty ? undefined : { term, vote, commit }, message.entries, message.snapshot);
  });
}

export function processApplyThread(env: Environment, id: number): void {
  const node = nodeAt(env, id);
  const message = node.applyWork.shift();
  if (message === undefined) {
    env.output.write("no apply work to perform");
    return;
  }
  processWork(env, message, () => apply(node, message.entries));
}

/** How many messages were delivered or dropped. */
export function deliverMessages(
  env: Environment,
  kind: MessageKind | undefined,
  recipients: readonly Recipient[],
): number {
  let count = 0;
  for (const recipient of recipients) {
    const { matching, rest } = splitMessages(env.messages, { ...recipient, kind });
    env.messages = rest;
    count += matching.length;
    for (const message of matching) {
      env.output.write(`${recipient.drop ? "dropped: " : ""}${describeMessage(message)}\n`);
      if (recipient.drop) continue;
      const result = nodeAt(env, message.to).rawNode.step(message);
      if (result.kind === "rejected") env.output.write(`${reasons[result.reason]}\n`);
    }
  }
  return count;
}

/** Runs the nodes until none of them has anything left to do. */
export function stabilize(env: Environment, ids: readonly number[]): void {
  const { output } = env;
  for (let isDone = false; !isDone;) {
    isDone = true;
    const section = (id: number, title: string, run: () => void): void => {
      isDone = false;
      output.write(`> ${id} ${title}\n`);
      output.withIndent(run);
    };
    for (const id of ids) {
      if (nodeAt(env, id).rawNode.hasReady()) {
        section(id, "handling Ready", () => processReady(env, id));
      }
    }
    for (const id of ids) {
      const { matching } = splitMessages(env.messages, { id, drop: false, kind: undefined });
      if (matching.length > 0) {
        section(id, "receiving messages", () => {
          deliverMessages(env, undefined, [{ id, drop: false }]);
        });
      }
    }
    for (const id of ids) {
      const { appendWork } = nodeAt(env, id);
      if (appendWork.length === 0) continue;
      section(id, "processing append thread", () => {
        while (appendWork.length > 0) processAppendThread(env, id);
      });
    }
    for (const id of ids) {
      const { applyWork } = nodeAt(env, id);
      if (applyWork.length === 0) continue;
      section(id, "processing apply thread", () => {
        while (applyWork.length > 0) processApplyThread(env, id);
      });
    }
  }
}

export function printLog(env: Environment, id: number): void {
  const { storage } = nodeAt(env, id);
  const first = storage.firstIndex();
  const last = storage.lastIndex();
  if (last < first) {
    env.output.write(`log is empty: first index=${first}, last index=${last}`);
    return;
  }
  const entries = storage.entries(first, last + 1, noLimit);
  if (typeof entries === "string") throw new TranscriptError(entries);
  env.output.write(describeEntries(entries));
}

function processWork(env: Environment, message: Message, work: () => void): void {
  env.output.write(`Processing:\n${describeMessage({ ...message, responses: [] })}\n`);
  work();
  env.output.write("Responses:\n");
  for (const response of message.responses) {
    env.output.write(`${describeMessage(response)}\n`);
    env.messages.push(response);
  }
}

function append(
  node: Node,
  hardState: HardState | undefined,
  entries: readonly Entry[],
  snapshot: Snapshot | undefined,
): void {
  if (hardState !== undefined) node.storage.setHardState(hardState);
  if (snapshot === undefined) {
    node.storage.append(entries);
    return;
  }
  if (entries.length > 0) {
    throw new TranscriptError("can't apply snapshot and entries at the same time");
  }
  if (node.storage.applySnapshot(snapshot) === "out-of-date") {
    throw new TranscriptError("requested index is older than the existing snapshot");
  }
}

function apply(node: Node, entries: readonly Entry[]): void {
  for (const entry of entries) {
    const change = decodeConfChange(entry);
    const before = latest(node.history);
    const confState =
      change === undefined ? before.confState : node.rawNode.applyConfChange(change);
    const update = change === undefined ? entry.data : asV2(change).context;
    node.history.push({
      index: entry.index,
      term: entry.term,
      confState,
      data: concatBytes([before.data, update]),
    });
  }
}

function splitMessages(
  messages: readonly Message[],
  { id, drop, kind }: Recipient & { readonly kind: MessageKind | undefined },
): { matching: Message[]; rest: Message[] } {
  // Messages to and from storage, and from a node to itself, are delivered reliably.
  const isReliable = (message: Message): boolean =>
    message.from === message.to || isLocalTarget(message.from) || isLocalTarget(message.to);
  const isMatching = (message: Message): boolean =>
    message.to === id &&
    !(drop && isReliable(message)) &&
    (kind === undefined || message.kind === kind);
  return {
    matching: messages.filter(isMatching),
    rest: messages.filter((message) => !isMatching(message)),
  };
}

function latest(history: readonly Snapshot[]): Snapshot {
  const snapshot = history.at(-1);
  if (snapshot === undefined) throw new Error("a node without a snapshot");
  return snapshot;
}

export function textBytes(text: string): Uint8Array {
  return utf8Encode(text);
}
