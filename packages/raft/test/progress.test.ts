/** How a leader paces what it sends to one node, and the window of what is in flight. */
import { describe, expect, test } from "vitest";
import {
  addInflight,
  createInflights,
  freeInflightsTo,
  inflightCount,
  isFull,
} from "../src/inflights.ts";
import {
  becomeProbe,
  becomeReplicate,
  becomeSnapshot,
  canBumpCommit,
  createProgress,
  isPaused,
  maybeDecreaseTo,
  maybeUpdate,
  recordSentEntries,
  type Progress,
} from "../src/progress.ts";
import type { ProgressState } from "../src/types.ts";

function progressIn(state: ProgressState, match: number, next: number): Progress {
  const progress = createProgress({
    match,
    next,
    isLearner: false,
    recentActive: true,
    maxInflightMsgs: 2,
    maxInflightBytes: 100,
  });
  if (state === "StateReplicate") becomeReplicate(progress);
  if (state === "StateSnapshot") becomeSnapshot(progress, next - 1);
  progress.next = next;
  return progress;
}

describe("pacing", () => {
  test("a probe waits for the answer to one message with entries", () => {
    const progress = progressIn("StateProbe", 1, 5);

    recordSentEntries(progress, 0, 0);
    expect(isPaused(progress)).toBe(false);
    recordSentEntries(progress, 1, 10);
    expect(isPaused(progress)).toBe(true);
    expect(progress.next).toBe(5);
    expect(maybeUpdate(progress, 2)).toBe(true);
    expect(isPaused(progress)).toBe(false);
  });

  test("replication goes ahead until the window is full, by count or by bytes", () => {
    const progress = progressIn("StateReplicate", 4, 5);

    recordSentEntries(progress, 3, 10);
    expect([progress.next, isPaused(progress)]).toEqual([8, false]);
    recordSentEntries(progress, 1, 10);
    expect([progress.next, isPaused(progress)]).toEqual([9, true]);

    const byBytes = progressIn("StateReplicate", 4, 5);
    recordSentEntries(byBytes, 1, 100);
    expect(isPaused(byBytes)).toBe(true);
  });

  test("nothing is sent while a snapshot is under way", () => {
    const progress = progressIn("StateSnapshot", 1, 11);

    expect(isPaused(progress)).toBe(true);
    expect(() => recordSentEntries(progress, 1, 1)).toThrow("unhandled state");
  });
});

describe("rejections", () => {
  test("in replication fall back to what is known to match, unless stale", () => {
    const progress = progressIn("StateReplicate", 5, 10);
    progress.sentCommit = 9;

    expect(maybeDecreaseTo(progress, 5, 3)).toBe(false);
    expect(maybeDecreaseTo(progress, 9, 3)).toBe(true);
    expect([progress.next, progress.sentCommit]).toEqual([6, 5]);
  });

  test("of a probe move to the hint, but not below what is known to match", () => {
    const progress = progressIn("StateProbe", 2, 10);
    progress.isAppendFlowPaused = true;

    expect(maybeDecreaseTo(progress, 8, 4)).toBe(false);
    expect(isPaused(progress)).toBe(true);
    expect(maybeDecreaseTo(progress, 9, 4)).toBe(true);
    expect([progress.next, isPaused(progress)]).toEqual([5, false]);
    expect(maybeDecreaseTo(progress, 4, 0)).toBe(true);
    expect(progress.next).toBe(3);
  });
});

test("a snapshot that arrived lets probing start after it", () => {
  const arrived = progressIn("StateSnapshot", 1, 11);
  becomeProbe(arrived);
  expect(arrived.next).toBe(11);

  const failed = progressIn("StateSnapshot", 1, 11);
  failed.pendingSnapshot = 0;
  becomeProbe(failed);
  expect(failed.next).toBe(2);
});

test("a commit index is worth sending if none in flight reaches as far as the node could go", () => {
  const progress = progressIn("StateReplicate", 5, 10);

  progress.sentCommit = 5;
  expect([canBumpCommit(progress, 5), canBumpCommit(progress, 6)]).toEqual([false, true]);
  progress.sentCommit = 9;
  expect(canBumpCommit(progress, 20)).toBe(false);
});

describe("the window", () => {
  test("frees all messages up to the acknowledged one", () => {
    const inflights = createInflights(4, 1000);
    for (const index of [10, 20, 30, 40]) addInflight(inflights, index, 100);

    freeInflightsTo(inflights, 9);
    expect([inflightCount(inflights), inflights.bytes, isFull(inflights)]).toEqual([4, 400, true]);
    freeInflightsTo(inflights, 20);
    expect([inflightCount(inflights), inflights.bytes, isFull(inflights)]).toEqual([2, 200, false]);
    freeInflightsTo(inflights, 99);
    expect([inflightCount(inflights), inflights.bytes]).toEqual([0, 0]);
  });

  test("takes a message that overshoots the bytes, and then no more", () => {
    const inflights = createInflights(10, 50);
    addInflight(inflights, 1, 49);
    addInflight(inflights, 2, 1000);

    expect(isFull(inflights)).toBe(true);
    expect(() => addInflight(inflights, 3, 0)).toThrow("cannot add into a Full inflights");
  });
});
