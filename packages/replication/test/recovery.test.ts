/** Peer recovery: stages, and the choice between files and operations. */
import { describe, expect, test } from "vitest";
import {
  chunksOf,
  diffFiles,
  fencePrimary,
  fenceReplica,
  moveTo,
  onNewTerm,
  planRecovery,
  throttleMs,
} from "../src/index.ts";

const offer = {
  startingSeqNo: 10,
  hasSameHistory: true,
  sourceHistoryFrom: 5,
  leaseRetainsFrom: 8,
  sourceMaxSeqNo: 12,
  targetTerm: 2,
  sourceTerm: 2,
};

describe("a recovery", () => {
  test("replays operations only when every condition holds", () => {
    expect(planRecovery(offer)).toBe("operations");
    expect(planRecovery({ ...offer, startingSeqNo: -2 })).toBe("files");
    expect(planRecovery({ ...offer, hasSameHistory: false })).toBe("files");
    expect(planRecovery({ ...offer, sourceHistoryFrom: 11 })).toBe("files");
    expect(planRecovery({ ...offer, leaseRetainsFrom: undefined })).toBe("files");
    expect(planRecovery({ ...offer, leaseRetainsFrom: 11 })).toBe("files");
  });

  test("copies files when the target's last operation is none of the source's", () => {
    expect(planRecovery({ ...offer, sourceMaxSeqNo: 9, sourceTerm: undefined })).toBe("operations");
    expect(planRecovery({ ...offer, sourceMaxSeqNo: 8, sourceTerm: undefined })).toBe("files");
    expect(planRecovery({ ...offer, sourceTerm: 3 })).toBe("files");
    expect(planRecovery({ ...offer, targetTerm: undefined, sourceTerm: 3 })).toBe("operations");
  });

  test("sends files that differ by name, length or checksum", () => {
    const same = { name: "a", sizeBytes: 1, checksum: 1 };
    const changed = { name: "b", sizeBytes: 1, checksum: 2 };
    const missing = { name: "c", sizeBytes: 1, checksum: 3 };

    const diff = diffFiles([same, changed, missing], [same, { ...changed, checksum: 9 }]);

    expect(diff).toEqual({ identical: [same], toSend: [changed, missing] });
  });

  test("cuts files into chunks, an empty one into one", () => {
    const chunks = chunksOf(
      [
        { name: "a", sizeBytes: 5, checksum: 0 },
        { name: "b", sizeBytes: 0, checksum: 0 },
      ],
      3,
    );

    expect(
      chunks.map(({ name, offset, length, isLast }) => [name, offset, length, isLast]),
    ).toEqual([
      ["a", 0, 3, false],
      ["a", 3, 2, true],
      ["b", 0, 0, true],
    ]);
  });

  test("goes through its stages in order, or starts again", () => {
    expect(moveTo("INIT", "INDEX")).toBe("INDEX");
    expect(moveTo("TRANSLOG", "INIT")).toBe("INIT");
    expect(() => moveTo("INIT", "TRANSLOG")).toThrow("can't move recovery to stage [TRANSLOG]");
  });

  test("waits as long as the rate wants", () => {
    expect(throttleMs(512, 1024)).toBe(500);
    expect(throttleMs(512, 0)).toBe(0);
  });
});

describe("fences", () => {
  const copy = { isPrimary: true, allocationId: "a", primaryTerm: 3 };

  test("a primary takes only what names its allocation and term", () => {
    const right = { allocationId: "a", primaryTerm: 3 };

    expect(fencePrimary(copy, right, "[i][0]")).toBeUndefined();
    expect(fencePrimary({ ...copy, isPrimary: false }, right, "[i][0]")).toMatchObject({
      type: "shard_not_found_exception",
      isRetryable: true,
      causedBy: { reason: "actual shard is not a primary" },
    });
    expect(fencePrimary(copy, { ...right, primaryTerm: 2 }, "[i][0]")).toMatchObject({
      causedBy: { reason: "expected allocation id [a] with term [2] but found [3]" },
    });
  });

  test("INV-REPL-4: a replica that has seen a term takes nothing of a lower one", () => {
    const replica = { ...copy, isPrimary: false };

    expect(fenceReplica(replica, { allocationId: "a", primaryTerm: 2 }, "[i][0]")?.reason).toBe(
      "[i][0] operation primary term [2] is too old (current [3])",
    );
    expect(fenceReplica(replica, { allocationId: "a", primaryTerm: 4 }, "[i][0]")).toBeUndefined();
  });

  test("a new term takes a copy back to the global checkpoint when it has more", () => {
    const before = { primaryTerm: 3, newTerm: 4, globalCheckpoint: 5, maxSeqNo: 7 };

    expect(onNewTerm(before)).toEqual({ kind: "roll-back", to: 5 });
    expect(onNewTerm({ ...before, maxSeqNo: 5 })).toEqual({ kind: "keep" });
    expect(onNewTerm({ ...before, newTerm: 3 })).toEqual({ kind: "none" });
  });
});
