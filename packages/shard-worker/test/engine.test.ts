/** The engine of one copy: versions, sequence numbers, refresh, flush, merge. */
import { describe, expect, test } from "vitest";
import { closeEngine, guarded } from "../src/engine/failure.ts";
import { dropOldCommits, flush } from "../src/engine/flush.ts";
import { historyFrom, openHistory, readHistory } from "../src/engine/history.ts";
import { forceMerge } from "../src/engine/merge.ts";
import { applyOperation, closeBatch } from "../src/engine/operations.ts";
import { refresh } from "../src/engine/refresh.ts";
import { liveCount } from "../src/engine/segments.ts";
import type { EngineState } from "../src/engine/types.ts";
import type { Operation } from "../src/translog/record.ts";
import { DiskError } from "@orrery/ports";
import type { Mapping } from "@orrery/query";
import { noLeases } from "@orrery/replication";
import { createRandom, emptyBytes, newDocumentId, utf8Decode, utf8Encode } from "@orrery/stdx";
import { isNewAutoId } from "../src/write/auto-id.ts";
import {
  createFixture,
  newEngine,
  parseOperation,
  put,
  read,
  remove,
  reopen,
  type Fixture,
} from "./engine-fixture.ts";

const metadata = { index: "books", shard: "0", index_uuid: "uuid" };

describe("versions on a primary", () => {
  test("a new document has version 1, the next write of it 2, and one after its delete goes on", async () => {
    const engine = await newEngine(createFixture());

    const created = put(engine, "1", "a");
    const updated = put(engine, "1", "b");
    const deleted = remove(engine, "1");
    const again = put(engine, "1", "c");

    expect(created).toEqual({
      kind: "done",
      seqNo: 0,
      primaryTerm: 1,
      version: 1,
      wasFound: false,
    });
    expect(updated).toMatchObject({ seqNo: 1, version: 2, wasFound: true });
    expect(deleted).toMatchObject({ seqNo: 2, version: 3, wasFound: true });
    expect(again).toMatchObject({ seqNo: 3, version: 4, wasFound: false });
  });

  test("a deleted document's version is forgotten after index.gc_deletes", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    remove(engine, "1");
    refresh(engine, "external");

    await fixture.clock.advance(60_001);

    expect(put(engine, "1", "b")).toMatchObject({ version: 1 });
  });

  test("a create of an existing document names its version", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a");

    const outcome = put(engine, "1", "b", { isCreate: true });

    expect(outcome).toEqual({
      kind: "failed",
      problem: {
        type: "version_conflict_engine_exception",
        reason: "[1]: version conflict, document already exists (current version [1])",
        status: 409,
        metadata,
      },
    });
  });

  test("a condition on seqNo and term is checked against buffer and segments alike", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a");
    const reason =
      "[1]: version conflict, required seqNo [5], primary term [1]. current document has seqNo [0] and primary term [1]";

    const inBuffer = put(engine, "1", "b", { ifSeqNo: 5, ifPrimaryTerm: 1 });
    refresh(engine, "external");
    const inSegment = put(engine, "1", "b", { ifSeqNo: 5, ifPrimaryTerm: 1 });
    const right = put(engine, "1", "b", { ifSeqNo: 0, ifPrimaryTerm: 1 });

    expect(inBuffer).toMatchObject({ problem: { reason } });
    expect(inSegment).toMatchObject({ problem: { reason } });
    expect(right).toMatchObject({ kind: "done", seqNo: 1 });
  });

  test("a condition on a missing document says that there is none", async () => {
    const engine = await newEngine(createFixture());

    const outcome = remove(engine, "zz", { ifSeqNo: 5, ifPrimaryTerm: 1 });

    const reason =
      "[zz]: version conflict, required seqNo [5], primary term [1]. but no document was found";
    expect(outcome).toMatchObject({ problem: { reason } });
  });

  test("external versions must rise, external_gte may stay", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a", { versionType: "external", version: 7 });

    const same = put(engine, "1", "b", { versionType: "external", version: 7 });
    const gte = put(engine, "1", "b", { versionType: "external_gte", version: 7 });
    const lower = put(engine, "1", "c", { versionType: "external_gte", version: 6 });

    expect(same).toMatchObject({
      problem: {
        reason:
          "[1]: version conflict, current version [7] is higher or equal to the one provided [7]",
      },
    });
    expect(gte).toMatchObject({ kind: "done", version: 7 });
    expect(lower).toMatchObject({
      problem: {
        reason: "[1]: version conflict, current version [7] is higher than the one provided [6]",
      },
    });
  });
});

describe("reading", () => {
  test("realtime sees the buffer, searches see what was refreshed", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a");

    expect([read(engine, "1"), read(engine, "1", false)]).toEqual(["a", undefined]);
    refresh(engine, "external");
    expect(read(engine, "1", false)).toBe("a");
  });

  test("documents that were only appended are found by a realtime read", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a", {}, true);

    expect(read(engine, "1")).toBe("a");
    expect(read(engine, "1", false)).toBeUndefined();
  });

  test("an internal refresh shows nothing to searches", async () => {
    const engine = await newEngine(createFixture());
    put(engine, "1", "a");
    refresh(engine, "internal");

    expect(engine.visible).toHaveLength(0);
    expect(read(engine, "1")).toBe("a");
  });
});

describe("operations that a primary has ordered", () => {
  const operation = (seqNo: number, text: string | undefined): Operation => ({
    kind: text === undefined ? "delete" : "index",
    id: "1",
    routing: undefined,
    source: text === undefined ? undefined : utf8Encode(text),
    seqNo,
    primaryTerm: 1,
    version: seqNo + 1,
  });

  test("INV-ENGINE-1: the highest seqNo wins whatever the order", async () => {
    const engine = await newEngine(createFixture());
    engine.maxSeqNoOfUpdates = 2;

    for (const one of [operation(2, "c"), operation(0, "a"), operation(1, undefined)]) {
      applyOperation(engine, one, parseOperation);
    }
    refresh(engine, "external");

    expect(read(engine, "1", false)).toBe("c");
    expect(engine.tracker.processedCheckpoint).toBe(2);
    expect(readHistory(engine, 0, 2).map(({ kind, seqNo }) => [kind, seqNo])).toEqual([
      ["index", 0],
      ["delete", 1],
      ["index", 2],
    ]);
  });

  test("INV-ENGINE-1: a delete that a commit holds above a gap is newer than what fills the gap after a restart", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    engine.maxSeqNoOfUpdates = 1;
    applyOperation(engine, operation(1, undefined), parseOperation);
    await flush(engine, { force: true, waitIfOngoing: true });

    const again = await reopen(fixture);
    again.maxSeqNoOfUpdates = 1;
    applyOperation(again, operation(0, "a"), parseOperation);

    expect(read(again, "1")).toBeUndefined();
  });

  test("INV-ENGINE-1: a delete above a gap is newer than what fills the gap, however late that comes", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    engine.maxSeqNoOfUpdates = 1;
    applyOperation(engine, operation(1, undefined), parseOperation);
    refresh(engine, "external");
    await fixture.clock.advance(60_001);

    applyOperation(engine, operation(0, "a"), parseOperation);

    expect(read(engine, "1")).toBeUndefined();
  });

  test("a document that is deleted, written anew and changed is there once", async () => {
    const engine = await newEngine(createFixture());

    for (const [seqNo, text] of ["a", undefined, "b", "c"].entries()) {
      // The primary knows of no document when it comes back.
      if (seqNo !== 2) engine.maxSeqNoOfUpdates = seqNo;
      applyOperation(engine, operation(seqNo, text), parseOperation);
    }
    refresh(engine, "external");

    expect(read(engine, "1", false)).toBe("c");
    expect(engine.segments.reduce((sum, segment) => sum + liveCount(segment), 0)).toBe(1);
  });

  test("an operation that comes again changes nothing", async () => {
    const engine = await newEngine(createFixture());
    applyOperation(engine, operation(0, "a"), parseOperation);
    closeBatch(engine);
    const { operations } = engine.translog;

    applyOperation(engine, operation(0, "a"), parseOperation);
    closeBatch(engine);

    expect(engine.translog.operations).toBe(operations);
  });
});

test("an error of the disk about files of an engine that is closed says that it is closed", async () => {
  const engine = await newEngine(createFixture());
  closeEngine(engine);

  const run = (): unknown =>
    guarded(engine, () => {
      throw new DiskError("missing", "indices/uuid/0/index", "no such file or directory");
    });

  expect(run).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ type: "already_closed_exception", isRetryable: true }),
    }),
  );
});

describe("merging", () => {
  test("a forced merge leaves one segment with the live documents, and no history nobody needs", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    for (let round = 0; round < 4; round += 1) {
      for (const id of ["1", "2"]) put(engine, id, `${id}-${round}`);
      refresh(engine, "external");
    }
    closeBatch(engine);
    fixture.globalCheckpoint = engine.tracker.maxSeqNo;
    await flush(engine, { force: true, waitIfOngoing: true });

    const merging = forceMerge(engine, { maxSegments: 1 });
    await fixture.clock.advance(1000);
    await merging;

    expect(engine.segments).toHaveLength(1);
    expect(engine.segments[0]?.reader.maxDoc).toBe(2);
    expect([read(engine, "1"), read(engine, "2")]).toEqual(["1-3", "2-3"]);
    expect(engine.minRetainedSeqNo).toBe(8);
  });

  test("a merge that fails closes the engine, and every request that waits for it says why", async () => {
    const plain = createFixture();
    const onTrimmed = () => {
      throw new DiskError("io", "segments", "the merged segment cannot be used");
    };
    const fixture: Fixture = { ...plain, options: { ...plain.options, onTrimmed } };
    const engine = await newEngine(fixture);
    for (const text of ["a", "b"]) {
      put(engine, "1", text);
      put(engine, "2", text);
      refresh(engine, "external");
    }
    plain.globalCheckpoint = engine.tracker.maxSeqNo;
    await flush(engine, { force: true, waitIfOngoing: true });

    const answers = await Promise.allSettled([
      forceMerge(engine, { maxSegments: 1 }),
      forceMerge(engine, { maxSegments: 1 }),
    ]);

    const failure = {
      type: "i_o_exception",
      reason: expect.stringContaining("the merged segment cannot be used"),
    };
    const failed = { status: "rejected", reason: { problem: failure } };
    expect(answers).toMatchObject([failed, failed]);
    expect(plain.failures).toHaveLength(1);
    await expect(forceMerge(engine, { maxSegments: 1 })).rejects.toMatchObject({
      problem: { type: "already_closed_exception", causedBy: failure },
    });
  });

  test("operations above the safe commit survive a merge", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    refresh(engine, "external");
    put(engine, "1", "b");
    refresh(engine, "external");

    const merging = forceMerge(engine, { maxSegments: 1 });
    await fixture.clock.advance(1000);
    await merging;

    expect(engine.segments).toHaveLength(1);
    expect(readHistory(engine, 0, 1)).toHaveLength(2);
  });

  test.each([
    ["segments", {}],
    ["the translog", { _source: { enabled: false } }],
  ])("is read from %s in batches, while writes, merges and commits go on", async (_, json) => {
    const plain = createFixture();
    const mapping = () => ({ json }) as unknown as Mapping;
    const fixture: Fixture = { ...plain, options: { ...plain.options, mapping } };
    const engine = await newEngine(fixture);
    const texts = Array.from({ length: 2100 }, (_unused, i) => `text ${i}`);
    for (const [i, text] of texts.entries()) {
      put(engine, String(i % 7), text);
      if (i % 500 === 499) await flush(engine, { force: true, waitIfOngoing: true });
    }
    closeBatch(engine);
    const to = engine.tracker.maxSeqNo;
    const history = openHistory(engine, { from: 3, to, maxBytes: 4000 });
    const found: (readonly [number, string])[] = [];
    for (let batch = history.next(); batch !== undefined; batch = history.next()) {
      expect(batch.length).toBeLessThan(100);
      for (const { seqNo, source } of batch) found.push([seqNo, utf8Decode(source ?? emptyBytes)]);
      put(engine, "1", "later");
      closeBatch(engine);
      if (found.length < 1000) continue;
      plain.globalCheckpoint = engine.tracker.processedCheckpoint;
      await flush(engine, { force: true, waitIfOngoing: true });
    }
    history.checkComplete();
    history.close();

    expect(found).toEqual(texts.map((text, i) => [i, text]).slice(3));
    expect(engine.historyLocks.size).toBe(0);
  });

  test("is refused when an operation of it is not there any more", async () => {
    const plain = createFixture();
    const mapping = () => ({ json: { _source: { enabled: false } } }) as unknown as Mapping;
    const engine = await newEngine({ ...plain, options: { ...plain.options, mapping } });
    for (const text of ["a", "b"]) {
      put(engine, "1", text);
      await engine.translog.sync();
      plain.globalCheckpoint = engine.tracker.processedCheckpoint;
      await flush(engine, { force: true, waitIfOngoing: true });
    }
    put(engine, "1", "c");
    const history = openHistory(engine, { from: 1, to: 2, maxBytes: 4000 });
    while (history.next() !== undefined) continue;

    expect(() => history.checkComplete()).toThrow("from_seqno [1] and to_seqno [2]");
  });

  test("INV-FOLLOW-2: what a lease retains is there, too, when segments do not keep what was sent", async () => {
    const plain = createFixture();
    const mapping = () => ({ json: { _source: { enabled: false } } }) as unknown as Mapping;
    const fixture: Fixture = { ...plain, options: { ...plain.options, mapping } };
    const retain = (retainingSeqNo: number): void => {
      const lease = { id: "follower", retainingSeqNo, source: "test", timestampMs: 0 };
      plain.leases = { ...noLeases, leases: [lease] };
    };
    const engine = await newEngine(fixture);
    const flushed = async (text: string): Promise<void> => {
      put(engine, "1", text);
      await engine.translog.sync();
      plain.globalCheckpoint = engine.tracker.processedCheckpoint;
      await flush(engine, { force: true, waitIfOngoing: true });
    };
    const numbers = (state: EngineState): number[] =>
      readHistory(state, 0, 9).map(({ seqNo }) => seqNo);
    retain(1);
    for (const text of ["a", "b", "c"]) await flushed(text);

    const held = [historyFrom(engine), numbers(engine)];
    const again = await reopen(fixture);
    const afterRestart = [historyFrom(again), numbers(again)];
    retain(3);
    dropOldCommits(again);

    expect(held).toEqual([1, [1, 2]]);
    expect(afterRestart).toEqual([1, [1, 2]]);
    expect([historyFrom(again), numbers(again)]).toEqual([3, []]);
    expect(again.commits.length).toBe(1);
  });

  test("a document deleted while a merge runs is not back afterwards", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    refresh(engine, "external");
    put(engine, "2", "b");
    refresh(engine, "external");

    remove(engine, "1");
    const merging = forceMerge(engine, { maxSegments: 1 });
    await fixture.clock.advance(1000);
    await merging;
    refresh(engine, "external");

    expect([read(engine, "1"), read(engine, "1", false), read(engine, "2")]).toEqual([
      undefined,
      undefined,
      "b",
    ]);
  });
});

describe("starting again", () => {
  test("a commit and the translog after it give back every document", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    put(engine, "2", "a");
    await flush(engine, { force: false, waitIfOngoing: true });
    put(engine, "1", "b");
    remove(engine, "2");
    closeBatch(engine);
    await engine.translog.sync();

    const again = await reopen(createFixture(fixture.disk));

    expect([read(again, "1"), read(again, "2")]).toEqual(["b", undefined]);
    expect(again.tracker.maxSeqNo).toBe(3);
    expect(again.tracker.persistedCheckpoint).toBe(3);
  });

  test("a damaged segment file is refused", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    await flush(engine, { force: false, waitIfOngoing: true });
    const path = fixture.disk.paths.find((name) => name.includes("/index/_"));
    fixture.disk.flipBit(path ?? "", 40);

    await expect(reopen(createFixture(fixture.disk))).rejects.toThrow("checksum failed");
  });

  test("a synced translog record that rots is refused, not cut off", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "a");
    closeBatch(engine);
    await engine.translog.sync();
    const path = `indices/uuid/0/translog/translog-${engine.translog.generation}.tlog`;
    fixture.disk.flipBit(path, fixture.disk.sizeBytes(path) - 3);

    await expect(reopen(createFixture(fixture.disk))).rejects.toThrow("corrupted");
  });
});

describe("ids made by coordinating nodes", () => {
  test("are new, unless they come again or are as old as one that came again", async () => {
    const engine = await newEngine(createFixture());
    const random = createRandom("ids");
    const early = newDocumentId(random, 1000);
    const late = newDocumentId(random, 2000);
    const item = { autoGeneratedId: true, isRetry: false };

    expect(isNewAutoId(engine, { ...item, id: early })).toBe(true);
    expect(isNewAutoId(engine, { ...item, id: early, isRetry: true })).toBe(false);
    expect(isNewAutoId(engine, { ...item, id: early })).toBe(false);
    expect(isNewAutoId(engine, { ...item, id: late })).toBe(true);
    expect(engine.maxUnsafeAutoIdMs).toBe(1000);
  });
});
