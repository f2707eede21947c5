/** Raft's messages, hard states, entries and snapshots survive the wire and the store. */
import { newMessage, messageKinds, type Entry, type Message } from "@orrery/raft";
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  decodeHardState,
  decodeRaftMessage,
  decodeSnapshot,
  decodeStoredEntry,
  encodeHardState,
  encodeRaftMessage,
  encodeSnapshot,
  encodeStoredEntry,
} from "../src/index.ts";
import { RaftMessage } from "../generated/consensus.js";

const large = 2 ** 45 + 7;

function entryOf(random: Random): Entry {
  const kind = random.pick(["EntryNormal", "EntryConfChange", "EntryConfChangeV2"] as const);
  const data = random.bytes(random.int(0, 20));
  return { kind, term: random.int(1, 9), index: random.int(1, large), data };
}

function messageOf(random: Random): Message {
  const wireKinds = messageKinds.filter((kind) => !kind.startsWith("MsgStorage"));
  return newMessage({
    kind: random.pick(wireKinds),
    to: random.int(1, 9),
    from: random.int(1, large),
    term: random.int(0, 9),
    logTerm: random.int(0, 9),
    index: random.int(0, large),
    commit: random.int(0, large),
    vote: random.int(0, 3),
    reject: random.int(0, 1) === 1,
    rejectHint: random.int(0, 9),
    entries: Array.from({ length: random.int(0, 3) }, () => entryOf(random)),
    snapshot:
      random.int(0, 2) > 0
        ? undefined
        : {
            index: random.int(1, large),
            term: 3,
            confState: {
              voters: [1, 2],
              learners: [3],
              votersOutgoing: [1],
              learnersNext: [],
              autoLeave: random.int(0, 1) === 1,
            },
            data: random.bytes(5),
          },
    context: random.int(0, 1) === 1 ? random.bytes(4) : undefined,
  });
}

describe("what Raft sends and stores", () => {
  test("is the same after it was encoded and decoded", () => {
    forSeeds(300, (random) => {
      const message = messageOf(random);
      const entry = entryOf(random);

      expect(decodeRaftMessage(encodeRaftMessage(message))).toEqual(message);
      const { index, term } = entry;
      expect(decodeStoredEntry({ index, term, bytes: encodeStoredEntry(entry) })).toEqual(entry);
      const { snapshot } = message;
      if (snapshot !== undefined)
        expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot);
    });
  });

  test("keeps numbers that need more than 32 bits", () => {
    const state = { term: large, vote: 3, commit: large + 1 };

    expect(decodeHardState(encodeHardState(state))).toEqual(state);
  });
});

test("a kind of message that no version sends is a problem of the sender, not a failed assertion", () => {
  const unknown = RaftMessage.encode({ kind: 99 }).finish();

  expect(() => decodeRaftMessage(unknown)).toThrow(OperationError);
});
