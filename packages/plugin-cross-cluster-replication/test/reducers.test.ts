/** Changes of what is followed come in some order: one that is late changes nothing of what came between. */
import { coreRules, initialState, type ClusterState } from "@orrery/cluster-state";
import { expect, test } from "vitest";
import { reducers, replicationTask, type Bodies } from "../src/state/reducers.ts";
import { followingOf, withFollowing, type Following } from "../src/state/section.ts";

const running: Following = {
  follower: "copy",
  leaderAlias: "lead",
  leaderIndex: "books",
  leaderUuid: "uuid",
  state: "RUNNING",
  reason: "User initiated",
  task: "MONITORING",
  settings: {},
  shards: [{ shard: 0, state: "FOLLOWING", allocation: 2 }],
  allocation: 7,
};
const paused: Following = { ...running, state: "PAUSED", task: "COMPLETED", allocation: 0 };
const stopping: Following = { ...running, state: "STOPPING", task: "COMPLETED", allocation: 0 };

function after<Name extends keyof Bodies>(following: Following, name: Name, body: Bodies[Name]) {
  const before: ClusterState = withFollowing(initialState("follower"), "copy", following);
  const task = replicationTask(name, body);
  const outcome = reducers[task.name]?.(before, task.body, coreRules);
  if (outcome?.kind === "rejected") return outcome.error;
  const next = outcome?.kind === "updated" ? outcome.state : before;
  const { state, reason } = { ...followingOf(next, "copy") };
  return { kind: outcome?.kind, state, reason };
}

const follower = "copy";

test("only what is paused is resumed: of two at once the second is told that it runs already", () => {
  const problem = {
    type: "resource_already_exists_exception",
    reason: "Replication on Index copy is already running",
    status: 400,
  };

  expect(after(paused, "replication/resume", { follower })).toMatchObject({ state: "RUNNING" });
  expect(after(running, "replication/resume", { follower })).toEqual(problem);
  expect(after(stopping, "replication/resume", { follower })).toEqual(problem);
});

test("only what runs is paused by a client, and not while it is restored", () => {
  const pause = (following: Following) =>
    after(following, "replication/pause", { follower, reason: "night" });

  expect(pause(running)).toMatchObject({ state: "PAUSED", reason: "night" });
  expect(pause(paused)).toMatchObject({ status: 400, reason: "Index copy is already paused" });
  expect(pause(stopping)).toMatchObject({
    status: 500,
    reason: "Cannot pause when in STOPPING state",
  });
  expect(pause({ ...running, task: "RESTORING" })).toMatchObject({ type: "exception" });
});

test.each(["replication/pause", "replication/fail"] as const)(
  "%s of a run of the index task that was overtaken changes nothing",
  (name) => {
    const end = (following: Following) =>
      after(following, name, { follower, allocation: 7, reason: "gone" });

    expect(end(running)).toMatchObject({ kind: "updated", reason: "gone" });
    expect(end({ ...running, allocation: 8 })).toEqual({
      kind: "unchanged",
      state: "RUNNING",
      reason: "User initiated",
    });
    expect(end(stopping)).toMatchObject({ kind: "unchanged", state: "STOPPING" });
  },
);
