/** The entry points of a node and the contract with its driver. */
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  confChangeV1,
  createMemoryStorage,
  createRawNode,
  emptyConfState,
  newMessage,
  noLimit,
  type Config,
  type ConfState,
  type Entry,
  type MemoryStorage,
  type Message,
  type RawNode,
  type Ready,
} from "../src/index.ts";

const config: Config = {
  id: 1,
  electionTick: 10,
  heartbeatTick: 1,
  maxSizePerMsg: noLimit,
  maxInflightMsgs: 256,
  randomizedElectionTimeout: (ticks) => ticks,
};

function storageOf(voters: readonly number[], choices: Partial<ConfState> = {}): MemoryStorage {
  const storage = createMemoryStorage();
  const confState = { ...emptyConfState, voters, ...choices };
  storage.applySnapshot({ index: 1, term: 1, confState, data: utf8Encode("") });
  return storage;
}

/** Does the work of every Ready until there is none; all that was sent. */
function settle(node: RawNode, storage: MemoryStorage): Message[] {
  const sent: Message[] = [];
  while (node.hasReady()) {
    const ready: Ready = node.ready();
    if (ready.hardState !== undefined) storage.setHardState(ready.hardState);
    storage.append(ready.entries);
    sent.push(...ready.messages);
    node.advance();
  }
  return sent;
}

/** A leader of three at term 1, whose first entry (index 2) is committed if the others have answered. */
function leader(choices: Partial<Config> = {}): { node: RawNode; storage: MemoryStorage } {
  const storage = storageOf([1, 2, 3]);
  const node = createRawNode({ ...config, applied: 1, ...choices }, storage);
  node.campaign();
  settle(node, storage);
  if (choices.preVote === true) {
    node.step(newMessage({ kind: "MsgPreVoteResp", from: 2, to: 1, term: 1 }));
    settle(node, storage);
  }
  node.step(newMessage({ kind: "MsgVoteResp", from: 2, to: 1, term: 1 }));
  settle(node, storage);
  return { node, storage };
}

const acknowledge = (node: RawNode, from: number, index: number): void => {
  node.step(newMessage({ kind: "MsgAppResp", from, to: 1, term: 1, index }));
};

describe("a configuration", () => {
  const wrong: readonly (readonly [string, Partial<Config>])[] = [
    ["cannot use none as id", { id: 0 }],
    ["cannot use local target as id", { id: Number.MAX_SAFE_INTEGER }],
    ["heartbeat tick must be greater than 0", { heartbeatTick: 0 }],
    ["election tick must be greater than heartbeat tick", { electionTick: 1 }],
    ["max inflight messages must be greater than 0", { maxInflightMsgs: 0 }],
    ["max inflight bytes must be >= max message size", { maxInflightBytes: 5, maxSizePerMsg: 6 }],
    ["CheckQuorum must be enabled", { readOnlyOption: "lease-based" }],
    ["election timeout 20 is not in", { randomizedElectionTimeout: () => 20 }],
  ];
  test.each(wrong)("is refused: %s", (complaint, choices) => {
    expect(() => createRawNode({ ...config, ...choices }, storageOf([1]))).toThrow(complaint);
  });
});

describe("messages from outside", () => {
  const { node } = leader();

  test("of a local kind are refused unless a storage target sends them", () => {
    const beat = newMessage({ kind: "MsgBeat", from: 2, to: 1 });

    expect(node.step(beat)).toEqual({ kind: "rejected", reason: "step-local-message" });
  });

  test("that answer are refused from strangers", () => {
    const answer = newMessage({ kind: "MsgAppResp", from: 9, to: 1, term: 1 });

    expect(node.step(answer)).toEqual({ kind: "rejected", reason: "step-peer-not-found" });
  });
});

test("a group of one elects itself, commits and applies without a message", () => {
  const storage = storageOf([1]);
  const node = createRawNode({ ...config, applied: 1 }, storage);

  for (let tick = 0; tick < 10; tick += 1) node.tick();
  expect(settle(node, storage)).toEqual([]);
  node.propose(utf8Encode("x"));
  settle(node, storage);

  expect(node.basicStatus()).toMatchObject({
    softState: { lead: 1, role: "StateLeader" },
    hardState: { term: 1, vote: 1, commit: 3 },
    applied: 3,
  });
  expect(node.hasReady()).toBe(false);
});

test("a node continues from what it stored", () => {
  const { node, storage } = leader();
  acknowledge(node, 2, 2);
  settle(node, storage);

  const again = createRawNode({ ...config, applied: 1 }, storage);

  expect(again.basicStatus().hardState).toEqual({ term: 1, vote: 1, commit: 2 });
  expect(again.ready()).toMatchObject({
    hardState: undefined,
    committedEntries: [{ term: 1, index: 2 }],
    mustSync: false,
  });
});

test("a stored commit index outside of the log stops the node", () => {
  const storage = storageOf([1]);
  storage.setHardState({ term: 1, vote: 0, commit: 5 });

  expect(() => createRawNode(config, storage)).toThrow("state.commit 5 is out of range [1, 1]");
});

test("a vote in the same term must be synced", () => {
  const storage = storageOf([1, 2, 3]);
  storage.setHardState({ term: 5, vote: 0, commit: 1 });
  const node = createRawNode(config, storage);
  const request = newMessage({ kind: "MsgVote", from: 2, to: 1, term: 5, index: 1, logTerm: 1 });

  node.step(request);

  expect(node.ready()).toMatchObject({ mustSync: true, hardState: { term: 5, vote: 2 } });
});

test("two Ready without advance break the contract", () => {
  const { node } = leader();
  node.propose(utf8Encode("x"));
  node.ready();
  node.propose(utf8Encode("y"));

  expect(() => node.ready()).toThrow("two accepted Ready structs without call to Advance");
});

describe("proposals", () => {
  test("beyond the limit of uncommitted bytes are dropped until entries are applied", () => {
    const { node, storage } = leader({ maxUncommittedEntriesSize: 10 });
    const dropped = { kind: "rejected", reason: "proposal-dropped" };
    const data = new Uint8Array(8);

    expect(node.propose(data).kind).toBe("accepted");
    expect(node.propose(data)).toEqual(dropped);
    expect(node.propose(new Uint8Array()).kind).toBe("accepted");
    settle(node, storage);
    acknowledge(node, 2, 4);
    settle(node, storage);

    expect(node.propose(data).kind).toBe("accepted");
  });

  test("of any size are accepted when nothing else is uncommitted", () => {
    const { node } = leader({ maxUncommittedEntriesSize: 10 });

    expect(node.propose(new Uint8Array(1000)).kind).toBe("accepted");
  });

  test("are not forwarded if that is switched off", () => {
    const node = createRawNode({ ...config, disableProposalForwarding: true }, storageOf([1, 2]));
    node.step(newMessage({ kind: "MsgHeartbeat", from: 2, to: 1, term: 3 }));

    expect(node.propose(utf8Encode("x"))).toEqual({
      kind: "rejected",
      reason: "proposal-dropped",
    });
  });
});

describe("a leader", () => {
  const entryCounts = (sent: readonly Message[], to: number): number[] =>
    sent
      .filter((message) => message.kind === "MsgApp" && message.to === to)
      .map(({ entries }) => entries.length);

  test("sends one entry per message when the size limit is 0", () => {
    const { node, storage } = leader({ maxSizePerMsg: 0, maxCommittedSizePerReady: 1000 });
    for (const text of ["a", "b", "c"]) node.propose(utf8Encode(text));
    settle(node, storage);

    acknowledge(node, 2, 2);

    expect(entryCounts(settle(node, storage), 2)).toEqual([1, 1, 1]);
  });

  test("does not commit entries of earlier terms by counting", () => {
    const storage = storageOf([1, 2, 3]);
    const old: Entry = { kind: "EntryNormal", term: 1, index: 2, data: utf8Encode("old") };
    storage.append([old]);
    storage.setHardState({ term: 1, vote: 0, commit: 1 });
    const node = createRawNode({ ...config, applied: 1 }, storage);
    node.campaign();
    settle(node, storage);
    node.step(newMessage({ kind: "MsgVoteResp", from: 2, to: 1, term: 2 }));
    settle(node, storage);

    node.step(newMessage({ kind: "MsgAppResp", from: 2, to: 1, term: 2, index: 2 }));
    expect(node.basicStatus().hardState.commit).toBe(1);
    node.step(newMessage({ kind: "MsgAppResp", from: 2, to: 1, term: 2, index: 3 }));
    expect(node.basicStatus().hardState.commit).toBe(3);
  });

  test("counts itself only once its own entries are durable", () => {
    const { node, storage } = leader();
    acknowledge(node, 2, 2);
    settle(node, storage);
    node.propose(utf8Encode("x"));
    const ready = node.ready();

    acknowledge(node, 2, 3);
    expect(node.basicStatus().hardState.commit).toBe(2);
    storage.append(ready.entries);
    node.advance();

    expect(node.basicStatus().hardState.commit).toBe(3);
  });

  test("offers no snapshot to a node that was not heard from lately", () => {
    const { node, storage } = leader({ checkQuorum: true });
    for (const from of [2, 3]) acknowledge(node, from, 2);
    node.propose(utf8Encode("x"));
    settle(node, storage);
    acknowledge(node, 2, 3);
    settle(node, storage);
    storage.createSnapshot(3, undefined, utf8Encode(""));
    storage.compact(3);
    for (let tick = 0; tick < 10; tick += 1) node.tick();
    node.reportUnreachable(3);
    const kinds = (): string[] => settle(node, storage).map(({ kind, to }) => `${kind} ${to}`);

    node.propose(utf8Encode("y"));
    expect(kinds()).not.toContain("MsgSnap 3");
    node.step(newMessage({ kind: "MsgHeartbeatResp", from: 3, to: 1, term: 1 }));
    expect(kinds()).toContain("MsgSnap 3");
  });

  test("resumes after a snapshot is reported, probing from after it or from before it", () => {
    for (const [outcome, next] of [
      ["finished", 3],
      ["failed", 1],
    ] as const) {
      const { node, storage } = leader();
      acknowledge(node, 2, 2);
      settle(node, storage);
      storage.createSnapshot(2, undefined, utf8Encode(""));
      storage.compact(2);
      node.step(
        newMessage({ kind: "MsgAppResp", from: 3, to: 1, term: 1, index: 1, reject: true }),
      );
      expect(settle(node, storage).map(({ kind }) => kind)).toContain("MsgSnap");

      node.reportSnapshot(3, outcome);

      expect(node.status().progress.get(3)).toMatchObject({
        state: "StateProbe",
        next,
        isPaused: true,
      });
    }
  });

  test("that has an unfinished transfer gives up when the target leaves the configuration", () => {
    const { node } = leader();
    node.transferLeader(3);
    expect(node.basicStatus().leadTransferee).toBe(3);

    node.applyConfChange(confChangeV1("ConfChangeRemoveNode", 3));

    expect(node.basicStatus().leadTransferee).toBe(0);
  });

  test("shows what it knows of each node", () => {
    const { node } = leader();
    const seen: string[] = [];

    node.withProgress((id, { state }) => seen.push(`${id} ${state}`));

    expect(seen).toEqual(["1 StateReplicate", "2 StateProbe", "3 StateProbe"]);
    expect([...node.status().progress.keys()]).toEqual([1, 2, 3]);
  });
});

describe("a follower", () => {
  test("that is a learner neither campaigns nor stops voting", () => {
    const storage = storageOf([2, 3], { learners: [1] });
    const node = createRawNode(config, storage);
    for (let tick = 0; tick < 40; tick += 1) node.tick();
    node.campaign();
    expect(node.basicStatus().hardState.term).toBe(0);

    node.step(newMessage({ kind: "MsgTimeoutNow", from: 2, to: 1 }));
    expect(node.basicStatus().hardState.term).toBe(0);
    node.step(newMessage({ kind: "MsgVote", from: 3, to: 1, term: 2, index: 1, logTerm: 1 }));
    expect(settle(node, storage)).toMatchObject([{ kind: "MsgVoteResp", reject: false }]);
  });

  test("ignores an old snapshot, one it already has, and one that leaves it out", () => {
    const storage = storageOf([1, 2]);
    const node = createRawNode({ ...config, applied: 1 }, storage);
    const send = (index: number, term: number, voters: number[]): unknown => {
      const confState = { ...emptyConfState, voters };
      const snapshot = { index, term, confState, data: utf8Encode("s") };
      node.step(newMessage({ kind: "MsgSnap", from: 2, to: 1, term: 3, snapshot }));
      const sent = settle(node, storage).map(({ index: at }) => at);
      return [sent, storage.firstIndex()];
    };
    const entries = [2, 3].map((index): Entry => ({
      kind: "EntryNormal",
      term: 3,
      index,
      data: utf8Encode(""),
    }));
    node.step(
      newMessage({ kind: "MsgApp", from: 2, to: 1, term: 3, index: 1, logTerm: 1, entries }),
    );
    settle(node, storage);

    expect(send(1, 1, [1, 2])).toEqual([[1], 2]);
    expect(send(9, 3, [2])).toEqual([[1], 2]);
    expect(send(2, 3, [1, 2])).toEqual([[2], 2]);
    expect(node.basicStatus().hardState.commit).toBe(2);
  });

  test("does not apply a change that a restored snapshot contains", () => {
    const storage = storageOf([1, 2]);
    const node = createRawNode({ ...config, applied: 1, asyncStorageWrites: true }, storage);
    const confState = { ...emptyConfState, voters: [1, 2, 3] };
    const snapshot = { index: 9, term: 3, confState, data: utf8Encode("") };
    node.step(newMessage({ kind: "MsgSnap", from: 2, to: 1, term: 3, snapshot }));

    const state = node.applyConfChange(confChangeV1("ConfChangeRemoveNode", 3), 8);

    expect(state.voters).toEqual([1, 2, 3]);
    expect(node.applyConfChange(confChangeV1("ConfChangeRemoveNode", 3), 10).voters).toEqual([
      1, 2,
    ]);
  });

  test("does not campaign while a committed configuration change is unapplied", () => {
    const storage = storageOf([1, 2]);
    const node = createRawNode({ ...config, applied: 1 }, storage);
    const entries: Entry[] = [
      { kind: "EntryConfChange", term: 1, index: 2, data: Uint8Array.of(8, 0, 16, 0, 24, 3) },
    ];
    const fields = { from: 2, to: 1, term: 1, index: 1, logTerm: 1, entries, commit: 2 };
    node.step(newMessage({ kind: "MsgApp", ...fields }));

    node.campaign();
    expect(node.basicStatus().softState.role).toBe("StateFollower");
    settle(node, storage);
    node.campaign();

    expect(node.basicStatus().softState.role).toBe("StateCandidate");
  });
});

test("a pre-candidate that loses changes neither its term nor its vote", () => {
  const storage = storageOf([1, 2, 3]);
  const node = createRawNode({ ...config, preVote: true }, storage);
  node.campaign();
  settle(node, storage);
  for (const from of [2, 3]) {
    node.step(newMessage({ kind: "MsgPreVoteResp", from, to: 1, term: 0, reject: true }));
  }

  expect(node.basicStatus()).toMatchObject({
    hardState: { term: 0, vote: 0 },
    softState: { role: "StateFollower" },
  });
});
