/** Local checkpoints: what is processed, what is persisted. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { createLocalCheckpointTracker } from "../src/index.ts";

describe("a local checkpoint", () => {
  test("stops below the first number that is missing", () => {
    const tracker = createLocalCheckpointTracker(-1, -1);

    for (const seqNo of [0, 1, 3, 4]) tracker.markProcessed(seqNo);

    expect(tracker.processedCheckpoint).toBe(1);
    expect(tracker.maxSeqNo).toBe(4);
    expect(tracker.gaps()).toEqual([2]);
    tracker.markProcessed(2);
    expect(tracker.processedCheckpoint).toBe(4);
  });

  test("counts what is durable by itself", () => {
    const tracker = createLocalCheckpointTracker(-1, -1);
    const first = tracker.nextSeqNo();
    tracker.markProcessed(first);

    expect([tracker.processedCheckpoint, tracker.persistedCheckpoint]).toEqual([0, -1]);
    tracker.markPersisted(first);
    expect(tracker.persistedCheckpoint).toBe(0);
  });
});

// Any order of marking, with repeats.
test("INV-REPL-1: a checkpoint never falls and everything up to it was marked", () => {
  forSeeds(300, (random) => {
    const start = random.int(-1, 5);
    const tracker = createLocalCheckpointTracker(start, start);
    const marked = new Set<number>();
    let before = tracker.processedCheckpoint;
    for (let i = 0; i < 40; i += 1) {
      const seqNo = random.int(0, 30);
      tracker.markProcessed(seqNo);
      marked.add(seqNo);
      const checkpoint = tracker.processedCheckpoint;
      expect(checkpoint).toBeGreaterThanOrEqual(before);
      for (let n = start + 1; n <= checkpoint; n += 1) expect(marked.has(n)).toBe(true);
      expect(marked.has(checkpoint + 1)).toBe(false);
      before = checkpoint;
    }
  });
});
