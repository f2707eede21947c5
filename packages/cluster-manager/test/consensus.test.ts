/** The driver of Raft when what it carries out fails: faults of the program are nobody's to keep quiet. */
import { initialState } from "@orrery/cluster-state";
import type { NodeStore, StoreBatch, StoredNode } from "@orrery/ports";
import { AssertionError, createRandom, utf8Decode, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { encodeSnapshotData } from "../src/applied-log.ts";
import { createConsensus, type Consensus } from "../src/consensus.ts";
import { openRaftLog, readMember, saveFirstSnapshot, type RaftLog } from "../src/raft-log.ts";

interface Single {
  readonly consensus: Consensus;
  readonly log: RaftLog;
  readonly applied: string[];
  readonly storeFailures: unknown[];
}

/** A cluster of one that applies everything but what is called "broken". */
async function single(): Promise<Single> {
  let stored: StoredNode = {
    hardState: undefined,
    snapshot: undefined,
    entries: [],
    values: new Map(),
    loss: undefined,
    repairs: [],
  };
  const store: NodeStore = {
    load: () => stored,
    async write({ hardState, snapshot, values }: StoreBatch) {
      stored = {
        hardState: hardState ?? stored.hardState,
        snapshot: snapshot ?? stored.snapshot,
        entries: [],
        values: new Map([...stored.values, ...(values ?? [])] as [string, Uint8Array][]),
        loss: undefined,
        repairs: [],
      };
    },
    close() {},
  };
  await saveFirstSnapshot(store, 1, encodeSnapshotData(initialState("test"), []));
  const applied: string[] = [];
  const storeFailures: unknown[] = [];
  const log = openRaftLog(store, readMember(store.load()).stored, (error) =>
    storeFailures.push(error),
  );
  const consensus = createConsensus({
    raftId: 1,
    tickMs: 100,
    clock: { nowMs: () => 0, monotonicMs: () => 0, setTimer: () => () => {} },
    random: createRandom("single"),
    log,
    send: () => {},
    apply({ data }) {
      const text = utf8Decode(data);
      if (text === "broken") throw new AssertionError("a claim does not hold");
      applied.push(text);
    },
    restore: () => {},
    snapshotData: () => new Uint8Array(),
    readable: () => {},
    changed: () => {},
  });
  consensus.campaign();
  await log.flush();
  await log.flush();
  return { consensus, log, applied, storeFailures };
}

test("what fails while an entry is applied goes on up: it is no failure of the store, and later ones are applied", async () => {
  const { consensus, log, applied, storeFailures } = await single();

  consensus.propose(utf8Encode("broken"));
  await expect(log.flush()).rejects.toThrow("a claim does not hold");
  consensus.propose(utf8Encode("sound"));
  await log.flush();

  expect(storeFailures).toEqual([]);
  expect(applied).toContain("sound");
});
