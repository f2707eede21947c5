/** Up to which moment a GET has to know of acknowledged writes. */
import { describe, expect, test } from "vitest";
import { mustShowUntil, watchEvents, type Bounds } from "../src/checkers/reading-bounds.ts";
import type { NewsEvent } from "../src/watchers.ts";
import { startTestWorld } from "./world.ts";

type Planted = Readonly<Record<string, string | number | boolean>>;

function boundsAfter(events: readonly Planted[]): Bounds {
  const { bounds, see } = watchEvents(() => "main");
  for (const event of events) see(event as unknown as NewsEvent);
  return bounds;
}

const applied = (node: string, version: number, atMs: number, isMember = true): Planted => ({
  ...{ kind: "cluster-state-applied", node, version, at_ms: atMs, isMember },
});
const copies = (version: number, atMs: number, given: Planted): Planted => ({
  ...{ kind: "shard-copies-changed", node: "node-1", at_ms: atMs, version, index: "books" },
  ...{ indexUuid: "u", shard: 0, primaryTerm: 1, primary: "a", isRelocated: false, ...given },
});
const resynced = (primaryTerm: number, atMs: number): Planted => ({
  ...{ kind: "copies-resynced", node: "node-1", at_ms: atMs, index: "books", shard: 0 },
  primaryTerm,
});
const untilOf = (events: readonly Planted[], atMs: number, node = "node-1"): number => {
  const reading = { cluster: "main", index: "books", node, invokedMs: atMs };
  return mustShowUntil(boundsAfter(events), { ...reading, returnedMs: atMs + 5 });
};

const formed = ["node-1", "node-2"].map((node) => applied(node, 3, 100));

describe("a GET through a node", () => {
  test("knows all that was acknowledged before, where the node has the newest state", () => {
    expect(untilOf(formed, 9000)).toBe(9000);
  });

  test("knows what was acknowledged before the first state that the node lacks", () => {
    const behind = [...formed, applied("node-2", 4, 5000), applied("node-2", 5, 6000)];

    expect(untilOf(behind, 9000)).toBe(5000);
    expect(untilOf(behind, 9000, "node-2")).toBe(9000);
    expect(untilOf([...behind, applied("node-1", 5, 8000)], 9000)).toBe(9000);
  });

  test("knows of a state that removes it nothing: it shows the last one that it was in", () => {
    const removed = [applied("node-2", 4, 5000), applied("node-1", 4, 5100, false)];

    expect(untilOf([...formed, ...removed], 9000)).toBe(5000);
    expect(untilOf([...formed, ...removed, applied("node-1", 5, 8000)], 9000)).toBe(9000);
  });

  test("knows nothing for certain while a node that starts again has no state", () => {
    const started = { kind: "node-started", node: "node-1", at_ms: 8000 };

    expect(untilOf([...formed, started], 9000)).toBe(100);
  });
});

describe("a promotion", () => {
  const promoted = [
    ...formed,
    copies(3, 100, {}),
    copies(4, 6000, { primary: "b", primaryTerm: 2 }),
  ];

  test("makes copies forget what they cannot confirm, until they are in line", () => {
    expect(untilOf(promoted, 5000)).toBe(5000);
    expect(untilOf(promoted, 7000)).toBe(4000);
    expect(untilOf([...promoted, resynced(2, 6500)], 7000)).toBe(7000);
    expect(untilOf([...promoted, resynced(2, 8000)], 7000)).toBe(4000);
    expect(untilOf([...promoted, resynced(1, 6500)], 7000)).toBe(4000);
  });

  test("is over with the next one, or when no other copy is left", () => {
    const next = copies(5, 6200, { primary: "c", primaryTerm: 3 });
    const none = copies(5, 6200, { primary: "", primaryTerm: 3 });
    const alone = copies(6, 6300, { primary: "b", primaryTerm: 3 });

    expect(untilOf([...promoted, next, resynced(3, 6500)], 7000)).toBe(7000);
    expect(untilOf([...promoted, none], 7000)).toBe(4000);
    expect(untilOf([...promoted, none, alone], 7000)).toBe(7000);
  });

  test("leaves what was acknowledged a while before the trouble that it is part of", () => {
    const fault = (kind: string, atMs: number): Planted => ({
      ...{ kind, node: "", at_ms: atMs },
      fault: "partition",
    });
    const troubled = [fault("fault-started", 3000), ...promoted];
    const earlier = [fault("fault-started", 2000), fault("fault-ended", 2500), ...promoted];
    const crashed = [{ kind: "node-crashed", node: "node-2", at_ms: 5500 }, ...promoted];

    expect(untilOf(troubled, 7000)).toBe(1000);
    expect(untilOf(earlier, 7000)).toBe(4000);
    expect(untilOf(crashed, 7000)).toBe(3500);
  });

  test("is told by every node, and counts once", () => {
    expect(
      untilOf(
        [...promoted, resynced(2, 6100), copies(4, 6400, { primary: "b", primaryTerm: 2 })],
        7000,
      ),
    ).toBe(7000);
  });

  test("is not the hand-over of a relocation, which is over soon", () => {
    const moved = [
      ...formed,
      copies(3, 100, {}),
      copies(4, 6000, { primary: "b", isRelocated: true }),
    ];

    expect(untilOf(moved, 7000)).toBe(4000);
    expect(untilOf(moved, 8000)).toBe(8000);
  });
});

test("copies of a cluster that loses its primary are in line soon after", async () => {
  const { world, events, tell, until, isWhole } = await startTestWorld();
  const { bounds, see } = watchEvents(world.clusterOf);
  for (const event of events) see(event as NewsEvent);
  const end = world.watchNews(see);
  const [primary = ""] = await world.select("primary:books/0");
  await tell(async () => {
    await world.crash(primary);
    await world.sleep(5000);
    await world.start(primary);
    await until(isWhole);
  });
  end();

  const [promotion] = bounds.promotions.get("main/books") ?? [];
  expect(promotion).toBeDefined();
  expect(promotion?.settledMs).toBeLessThan((promotion?.atMs ?? 0) + 1000);
  const other = world.running().find((node) => node !== primary) ?? "";
  const reading = { cluster: "main", index: "books", node: other, invokedMs: world.nowMs() };
  expect(mustShowUntil(bounds, { ...reading, returnedMs: world.nowMs() })).toBe(world.nowMs());
});
