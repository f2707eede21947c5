/**
 * A small Raft group under faults, for property tests: lossy network, crashes, compaction, changes of membership.
 *
 * Every step does one random thing; every observation is checked against what was observed before, so a broken
 * invariant fails the step that breaks it. A node's storage survives a crash, everything else is lost.
 */
import { utf8Decode, utf8Encode, type Random } from "@orrery/stdx";
import {
  confChangeV2,
  createMemoryStorage,
  decodeConfChange,
  isLocalTarget,
  noLimit,
  type Config,
  type ConfChangeSingle,
  type ConfState,
  type Entry,
  type HardState,
  type MemoryStorage,
  type Message,
  type RawNode,
  type Ready,
  type Snapshot,
} from "../src/index.ts";
import type { Raft } from "../src/raft.ts";
import { rawNodeOf, startRaft } from "../src/raw-node.ts";
import { createObservations, type Observations } from "./invariants.ts";

export interface Member {
  readonly id: number;
  readonly storage: MemoryStorage;
  node: RawNode;
  /** The inside of the node, for checks only. */
  raft: Raft;
  /** What the application holds: one text per applied normal entry. */
  applied: string[];
  appliedIndex: number;
  confState: ConfState;
  appendWork: Message[];
  applyWork: Message[];
}

export interface Group {
  readonly random: Random;
  readonly settings: GroupSettings;
  readonly members: Member[];
  messages: Message[];
  /** Pairs of nodes that cannot talk, as "from>to". */
  readonly cut: Set<string>;
  readonly observations: Observations;
  counter: number;
}

export interface GroupSettings extends Partial<Config> {
  readonly voters: readonly number[];
  /** Nodes that exist at first or may join. */
  readonly nodes: number;
  readonly changesMembership: boolean;
  /** Out of 100. */
  readonly lossPercent: number;
}

export function createGroup(random: Random, settings: GroupSettings): Group {
  const group: Group = {
    random,
    settings,
    members: [],
    messages: [],
    cut: new Set(),
    observations: createObservations(),
    counter: 0,
  };
  for (let id = 1; id <= settings.nodes; id += 1) {
    const storage = createMemoryStorage();
    const confState: ConfState = {
      voters: settings.voters,
      learners: [],
      votersOutgoing: [],
      learnersNext: [],
      autoLeave: false,
    };
    if (settings.voters.includes(id)) {
      storage.applySnapshot({ index: 1, term: 1, confState, data: utf8Encode("[]") });
      storage.setHardState({ term: 1, vote: 0, commit: 1 });
    }
    group.members.push(boot(group, id, storage));
  }
  return group;
}

/** One random thing happens. */
export function stepGroup(group: Group): void {
  const { random } = group;
  const member = random.pick(group.members);
  const dice = random.int(1, 1000);
  if (dice <= 220) member.node.tick();
  else if (dice <= 520) {
    for (let count = random.int(1, 6); count > 0; count -= 1) deliverOne(group);
  } else if (dice <= 780) work(group, member);
  else if (dice <= 860) propose(group, member);
  else if (dice <= 920) read(group, member);
  else if (dice <= 950) changeMembership(group, member);
  else if (dice <= 962) compact(group, member);
  else if (dice <= 974) restart(group, member);
  else if (dice <= 980) cutOrHeal(group);
  else if (dice <= 986) member.node.transferLeader(random.pick(group.members).id);
  else if (dice <= 992) reportFailure(group, member);
  else if (dice <= 994) member.node.forgetLeader();
  else member.node.campaign();
  observe(group, member);
}

/** The faults end; true when some leader can commit an entry and everyone of its configuration applies it. */
export function recovers(group: Group, rounds: number): boolean {
  group.cut.clear();
  const healthy = { ...group, settings: { ...group.settings, lossPercent: 0 } };
  let wanted = "";
  for (let round = 0; round < rounds; round += 1) {
    for (const member of group.members) if (round % 3 === 0) member.node.tick();
    for (const member of group.members) {
      while (hasWork(member)) work(healthy, member, "no-crash");
      observe(group, member);
    }
    const inFlight = group.messages;
    group.messages = [];
    healthy.messages = group.messages;
    for (const message of inFlight) deliver(group, message);
    const leader = group.members.find(({ raft }) => raft.role === "StateLeader");
    if (leader === undefined) continue;
    if (round % 50 === 48) reportLostSnapshots(leader);
    const participants = [...leader.node.status().progress.keys()];
    const isDone =
      wanted !== "" && participants.every((id) => memberAt(group, id).applied.includes(wanted));
    if (isDone) return true;
    if (round % 50 === 49) wanted = propose(group, leader);
  }
  return false;
}

/** A snapshot that got lost is only sent again when the driver says so. */
function reportLostSnapshots({ node }: Member): void {
  node.withProgress((id, { state }) => {
    if (state === "StateSnapshot") node.reportSnapshot(id, "failed");
  });
}

function boot(group: Group, id: number, storage: MemoryStorage): Member {
  const snapshot = storage.snapshot();
  if (snapshot === "unavailable") throw new Error("a memory storage always has a snapshot");
  const config: Config = {
    electionTick: 10,
    heartbeatTick: 1,
    maxSizePerMsg: noLimit,
    maxInflightMsgs: 256,
    ...group.settings,
    id,
    applied: snapshot.index,
    randomizedElectionTimeout: (ticks) => group.random.int(ticks, 2 * ticks - 1),
  };
  // A node that joins must find itself in the snapshot it is sent, so a leader is given a fresh one.
  const raft = startRaft(config, { ...storage, snapshot: () => snapshotOf(memberAt(group, id)) });
  return {
    id,
    storage,
    raft,
    node: rawNodeOf(raft),
    applied: restoreApplication(snapshot),
    appliedIndex: snapshot.index,
    confState: snapshot.confState,
    appendWork: [],
    applyWork: [],
  };
}

function snapshotOf({ storage, appliedIndex, confState, applied }: Member): Snapshot {
  const term = storage.term(appliedIndex);
  if (typeof term === "string") throw new Error(`no term for applied index ${appliedIndex}`);
  return { index: appliedIndex, term, confState, data: utf8Encode(JSON.stringify(applied)) };
}

function restart(group: Group, member: Member): void {
  // Crash before, in the middle of, or after the work of a Ready; in any case the memory is gone.
  if (group.random.int(0, 2) === 0 && member.node.hasReady()) work(group, member);
  const reborn = boot(group, member.id, member.storage);
  Object.assign(member, reborn);
}

function hasWork(member: Member): boolean {
  return member.node.hasReady() || member.appendWork.length > 0 || member.applyWork.length > 0;
}

function work(group: Group, member: Member, crash: "no-crash" | "may-crash" = "may-crash"): void {
  const { random } = group;
  const choices = [
    ...(member.node.hasReady() ? ["ready"] : []),
    ...(member.appendWork.length > 0 ? ["append"] : []),
    ...(member.applyWork.length > 0 ? ["apply"] : []),
  ];
  if (choices.length === 0) return;
  const choice = random.pick(choices);
  if (choice === "ready") carryOut(group, member, crash);
  else if (choice === "append") append(group, member);
  else applyBatch(group, member);
}

function carryOut(group: Group, member: Member, crash: "no-crash" | "may-crash"): void {
  const ready = member.node.ready();
  observeReads(group, ready);
  const isAsync = group.settings.asyncStorageWrites === true;
  if (isAsync) {
    for (const message of ready.messages) {
      if (!isLocalTarget(message.to)) group.messages.push(message);
      else if (message.kind === "MsgStorageAppend") member.appendWork.push(message);
      else member.applyWork.push(message);
    }
    return;
  }
  const mayCrash = crash === "may-crash" && group.random.int(1, 60) === 1;
  if (mayCrash && group.random.int(0, 1) === 0) {
    Object.assign(member, boot(group, member.id, member.storage));
    return;
  }
  persist(member, ready);
  if (mayCrash) {
    Object.assign(member, boot(group, member.id, member.storage));
    return;
  }
  group.messages.push(...ready.messages);
  if (ready.snapshot !== undefined) install(member, ready.snapshot);
  apply(group, member, ready.committedEntries);
  member.node.advance();
}

function persist(
  { storage }: Member,
  { snapshot, entries, hardState }: Pick<Ready, "entries" | "hardState" | "snapshot">,
): void {
  if (snapshot !== undefined) storage.applySnapshot(snapshot);
  storage.append(entries);
  if (hardState !== undefined) storage.setHardState(hardState);
}

function append(group: Group, member: Member): void {
  const message = member.appendWork.shift();
  if (message === undefined) return;
  const { term, vote, commit, entries, snapshot } = message;
  const hardState: HardState | undefined = term === 0 ? undefined : { term, vote, commit };
  persist(member, { entries, hardState, snapshot });
  if (snapshot !== undefined) install(member, snapshot);
  respond(group, member, message);
}

function applyBatch(group: Group, member: Member): void {
  const message = member.applyWork.shift();
  if (message === undefined) return;
  apply(group, member, message.entries);
  respond(group, member, message);
}

function respond(group: Group, member: Member, message: Message): void {
  for (const response of message.responses) {
    if (response.to === member.id) member.node.step(response);
    else group.messages.push(response);
  }
}

function install(member: Member, snapshot: Snapshot): void {
  member.applied = restoreApplication(snapshot);
  member.appliedIndex = snapshot.index;
  member.confState = snapshot.confState;
}

function apply(group: Group, member: Member, entries: readonly Entry[]): void {
  for (const entry of entries) {
    // A snapshot may have been installed while the entries waited.
    if (entry.index <= member.appliedIndex) continue;
    if (entry.index !== member.appliedIndex + 1) {
      throw new Error(`node ${member.id} applies ${entry.index} after ${member.appliedIndex}`);
    }
    member.appliedIndex = entry.index;
    group.observations.applied(member.id, entry);
    const change = decodeConfChange(entry);
    if (change !== undefined) {
      member.confState = member.node.applyConfChange(change, entry.index);
    }
    if (change === undefined && entry.data.length > 0) member.applied.push(utf8Decode(entry.data));
  }
}

function deliverOne(group: Group): void {
  const { random, messages } = group;
  if (messages.length === 0) return;
  // Mostly in order, but any message may overtake any other.
  const at = random.int(0, 3) === 0 ? random.int(0, messages.length - 1) : 0;
  const [message] = messages.splice(at, 1);
  if (message === undefined) return;
  const isCut = group.cut.has(`${message.from}>${message.to}`);
  if (isCut || random.int(1, 100) <= group.settings.lossPercent) return;
  if (random.int(1, 25) === 1) messages.push(message);
  deliver(group, message);
}

function deliver(group: Group, message: Message): void {
  const member = memberAt(group, message.to);
  member.node.step(message);
  observe(group, member);
}

function propose(group: Group, member: Member): string {
  group.counter += 1;
  const text = `${group.counter}`.padEnd(group.random.int(1, 40), ".");
  member.node.propose(utf8Encode(text));
  return text;
}

function read(group: Group, member: Member): void {
  group.counter += 1;
  const committed = Math.max(
    ...group.members.map(({ node }) => node.basicStatus().hardState.commit),
  );
  const context = group.observations.readStarted(group.counter, committed);
  member.node.readIndex(context);
}

function observeReads(group: Group, ready: Ready): void {
  if (group.settings.readOnlyOption === "lease-based") return;
  for (const { index, requestContext } of ready.readStates) {
    group.observations.readAnswered(requestContext, index);
  }
}

function changeMembership(group: Group, member: Member): void {
  const { random, settings } = group;
  // A leader lets a change in only when its configuration is that of the end of its log.
  if (!settings.changesMembership || member.raft.role !== "StateLeader") return;
  const count = random.int(0, 3);
  const changes: ConfChangeSingle[] = [];
  for (let at = 0; at < count; at += 1) {
    const type = random.pick([
      "ConfChangeAddNode",
      "ConfChangeAddNode",
      "ConfChangeAddLearnerNode",
      "ConfChangeRemoveNode",
    ] as const);
    changes.push({ type, nodeId: random.int(1, settings.nodes) });
  }
  const { incoming } = member.node.status().configuration;
  // The core takes it for granted that no change removes all voters.
  const kept = [...incoming].filter((id) => changes.every(({ nodeId }) => nodeId !== id));
  const adds = changes.some(({ type }, at) => type === "ConfChangeAddNode" && at === count - 1);
  if (count > 0 && kept.length === 0 && !adds) return;
  const transition =
    count > 1 || random.int(0, 1) === 0
      ? random.pick([
          "ConfChangeTransitionJointImplicit",
          "ConfChangeTransitionJointExplicit",
        ] as const)
      : "ConfChangeTransitionAuto";
  member.node.proposeConfChange(count === 0 ? confChangeV2([]) : confChangeV2(changes, transition));
}

function compact(group: Group, member: Member): void {
  const { storage, appliedIndex, confState, applied } = member;
  // What a restart would not know to be committed must stay in the log.
  const { commit } = storage.initialState().hardState;
  if (appliedIndex <= storage.firstIndex() || appliedIndex > commit) return;
  const data = utf8Encode(JSON.stringify(applied));
  if (storage.createSnapshot(appliedIndex, confState, data) === "out-of-date") return;
  storage.compact(appliedIndex - group.random.int(0, 3));
}

function cutOrHeal(group: Group): void {
  const { random, settings } = group;
  if (random.int(0, 2) === 0) {
    group.cut.clear();
    return;
  }
  const from = random.int(1, settings.nodes);
  const isWhole = random.int(0, 1) === 0;
  for (let to = 1; to <= settings.nodes; to += 1) {
    if (!isWhole && random.int(0, 1) === 0) continue;
    group.cut.add(`${from}>${to}`);
    if (random.int(0, 3) > 0) group.cut.add(`${to}>${from}`);
  }
}

function reportFailure(group: Group, member: Member): void {
  const about = group.random.pick(group.members).id;
  if (group.random.int(0, 1) === 0) member.node.reportUnreachable(about);
  else member.node.reportSnapshot(about, "failed");
}

function observe(group: Group, member: Member): void {
  group.observations.roleOf(member);
}

function memberAt(group: Group, id: number): Member {
  const member = group.members[id - 1];
  if (member === undefined) throw new Error(`there is no node ${id}`);
  return member;
}

function restoreApplication({ data }: Snapshot): string[] {
  return data.length === 0 ? [] : (JSON.parse(utf8Decode(data)) as string[]);
}
