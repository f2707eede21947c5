/** The primary's bookkeeping of its copies. */
import { forSeeds, type Random } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import {
  abortHandoff,
  activatePrimary,
  activateWithContext,
  completeHandoff,
  createReplicationTracker,
  followState,
  noteResynced,
  replicationGroup,
  reportCheckpoint,
  requestInSync,
  startHandoff,
  track,
  withdrawInSync,
  type ReplicationTracker,
} from "../src/index.ts";

const state = { version: 1, inSyncIds: ["p", "r"], assignedIds: ["p", "r"] };

function primary(): ReplicationTracker {
  const activation = { localCheckpoint: 5, isPromotion: false };
  return activatePrimary(createReplicationTracker("p", -1), state, activation);
}

describe("the global checkpoint", () => {
  test("waits for every in-sync copy to report", () => {
    const before = primary();

    const after = reportCheckpoint(before, "r", 3);

    expect([before.globalCheckpoint, after.globalCheckpoint]).toEqual([-1, 3]);
  });

  test("does not wait for a copy that is only tracked", () => {
    const tracker = followState(reportCheckpoint(primary(), "r", 5), {
      version: 2,
      inSyncIds: ["p", "r"],
      assignedIds: ["p", "r", "n"],
    });

    const tracked = track(tracker, "n");

    expect(tracked?.globalCheckpoint).toBe(5);
    expect(replicationGroup(tracked ?? tracker, new Set(["p", "r", "n"])).targets).toEqual([
      "r",
      "n",
    ]);
  });

  test("stands still while a copy is pending, and the copy is in-sync once it has caught up", () => {
    const joined = followState(reportCheckpoint(primary(), "r", 5), {
      version: 2,
      inSyncIds: ["p", "r"],
      assignedIds: ["p", "r", "n"],
    });
    const pending = requestInSync(joined, "n", 2);
    if (pending === undefined) throw new Error("unknown copy");
    const moved = reportCheckpoint(reportCheckpoint(pending, "p", 9), "r", 9);

    const caughtUp = reportCheckpoint(moved, "n", 5);

    expect([moved.globalCheckpoint, [...moved.pendingInSync]]).toEqual([5, ["n"]]);
    expect([caughtUp.copies.get("n")?.inSync, [...caughtUp.pendingInSync]]).toEqual([true, []]);
    expect(caughtUp.globalCheckpoint).toBe(5);
  });

  test("waits no more for a pending copy whose recovery was called off, or that comes again with all it needs", () => {
    const joined = followState(reportCheckpoint(primary(), "r", 5), {
      version: 2,
      inSyncIds: ["p", "r"],
      assignedIds: ["p", "r", "n"],
    });
    const pending = requestInSync(joined, "n", 2);
    if (pending === undefined) throw new Error("unknown copy");
    const moved = reportCheckpoint(reportCheckpoint(pending, "p", 9), "r", 9);

    const withdrawn = withdrawInSync(moved, "n");
    const again = requestInSync(moved, "n", 7);

    expect([withdrawn.globalCheckpoint, [...withdrawn.pendingInSync]]).toEqual([9, []]);
    expect(withdrawn.copies.get("n")?.inSync).toBe(false);
    expect([again?.globalCheckpoint, [...(again?.pendingInSync ?? ["n"])]]).toEqual([7, []]);
    expect(again?.copies.get("n")?.inSync).toBe(true);
  });

  test("moves on when a copy leaves the in-sync set", () => {
    const tracker = reportCheckpoint(primary(), "r", 3);

    const after = followState(tracker, { version: 2, inSyncIds: ["p"], assignedIds: ["p"] });

    expect(after.globalCheckpoint).toBe(5);
  });

  test("ignores a cluster state that is not newer", () => {
    const tracker = reportCheckpoint(primary(), "r", 3);

    expect(followState(tracker, { version: 1, inSyncIds: ["p"], assignedIds: ["p"] })).toBe(
      tracker,
    );
  });
});

describe("the replication group", () => {
  test("names in-sync copies that have no node", () => {
    const group = replicationGroup(primary(), new Set(["p"]));

    expect(group).toEqual({ targets: [], unavailableInSync: ["r"] });
  });
});

describe("a hand-over", () => {
  test("goes on where the old primary stopped", () => {
    const old = reportCheckpoint(
      followState(primary(), { version: 2, inSyncIds: ["p", "r"], assignedIds: ["p", "r", "t"] }),
      "r",
      4,
    );
    const inSync = requestInSync(old, "t", 5);
    if (inSync === undefined) throw new Error("unknown copy");
    const { tracker, context } = startHandoff(inSync);

    const taken = activateWithContext(createReplicationTracker("t", 2), context);

    expect([taken.mode, taken.globalCheckpoint]).toEqual(["primary", 4]);
    expect(completeHandoff(tracker).mode).toBe("relocated");
    expect(abortHandoff(tracker).mode).toBe("primary");
  });

  test("waits until the resync of a promoted copy has reached the others", () => {
    const activation = { localCheckpoint: 5, isPromotion: true };
    const promoted = activatePrimary(createReplicationTracker("p", -1), state, activation);

    const reached = noteResynced(promoted, new Set(["r"]));

    expect([...promoted.awaitingResync]).toEqual(["r"]);
    expect(() => startHandoff(promoted)).toThrow("before the resync has reached every copy");
    expect(startHandoff(reached).tracker.mode).toBe("handing-off");
  });

  test("does not wait for the resync of a copy that the cluster state has dropped", () => {
    const activation = { localCheckpoint: 5, isPromotion: true };
    const promoted = activatePrimary(createReplicationTracker("p", -1), state, activation);
    const without = { version: 2, inSyncIds: ["p"], assignedIds: ["p"] };

    expect([
      ...followState(promoted, { ...without, assignedIds: ["p", "r"] }).awaitingResync,
    ]).toEqual(["r"]);
    expect(followState(promoted, without).awaitingResync.size).toBe(0);
  });

  test("ends the right to let copies in", () => {
    const { tracker } = startHandoff(
      followState(primary(), { version: 2, inSyncIds: ["p", "r"], assignedIds: ["p", "r", "n"] }),
    );
    const relocated = completeHandoff(tracker);

    expect([track(relocated, "n"), requestInSync(relocated, "n", 5)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(track(abortHandoff(tracker), "n")).toBeDefined();
  });
});

// A primary with copies that come, catch up, report and leave, in any order.
test("INV-REPL-2, INV-REPL-3: the global checkpoint never falls, nor exceeds an in-sync copy's", () => {
  forSeeds(500, (random) => {
    let tracker = primary();
    for (let i = 0; i < 40; i += 1) {
      const next = anyStep(tracker, random, i + 2);
      expect(next.globalCheckpoint).toBeGreaterThanOrEqual(tracker.globalCheckpoint);
      for (const copy of next.copies.values()) {
        const isKnown = copy.inSync && copy.localCheckpoint >= 0;
        if (isKnown) expect(next.globalCheckpoint).toBeLessThanOrEqual(copy.localCheckpoint);
      }
      tracker = next;
    }
  });
});

/** In-sync ids only leave the cluster state, or enter it after this tracker has let them in. */
function anyStep(tracker: ReplicationTracker, random: Random, version: number): ReplicationTracker {
  const id = random.pick(["p", "r", "s", "t"]);
  const kind = random.int(0, 3);
  if (kind === 0) return reportCheckpoint(tracker, id, random.int(0, 40));
  if (kind === 1) return track(tracker, id) ?? tracker;
  if (kind === 2) return requestInSync(tracker, id, random.int(0, 40)) ?? tracker;
  const others = random.shuffle(["r", "s", "t"]).slice(0, random.int(0, 3));
  const inSyncIds = ["p", ...others.filter((other) => tracker.copies.get(other)?.inSync === true)];
  return followState(tracker, { version, inSyncIds, assignedIds: ["p", ...others] });
}
