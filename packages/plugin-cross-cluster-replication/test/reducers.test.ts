/** Cluster state update tasks of replication: what each changes; a late one changes nothing of what came between. */
import {
  applyTask,
  checkBlock,
  completeIndexSettings,
  composeRules,
  initialState,
  type ClusterState,
  type CreateIndex,
  type DiscoveryNode,
  type Outcome,
} from "@orrery/cluster-state";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { LEADER_INDEX_SETTING } from "../src/names.ts";
import { clusterSettings, indexSettings } from "../src/settings.ts";
import { reducers, replicationTask, type Bodies } from "../src/state/reducers.ts";
import { followingOf, sectionOf, withFollowing, type Following } from "../src/state/section.ts";

const rules = composeRules([{ indexSettings, clusterSettings, reducers }]);

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
  const outcome = reducers[task.name]?.(before, task.body, rules);
  if (outcome?.kind === "rejected") return outcome.error;
  const next = outcome?.kind === "updated" ? outcome.state : before;
  const { state, reason } = { ...followingOf(next, "copy") };
  return { kind: outcome?.kind, state, reason };
}

const follower = "copy";

const node: DiscoveryNode = {
  id: "n1-id" as NodeId,
  name: "n1",
  ephemeralId: "n1-process",
  hostName: "127.0.0.1",
  hostAddress: "127.0.0.1",
  transportAddress: "n1:9300",
  httpAddress: "n1:9200",
  roles: ["cluster_manager", "data", "remote_cluster_client"],
  attributes: {},
  version: "3.8.0",
};

function updatedBy(outcome: Outcome | undefined): ClusterState {
  if (outcome?.kind !== "updated") throw new Error(JSON.stringify(outcome));
  return outcome.state;
}

function apply<Name extends keyof Bodies>(
  state: ClusterState,
  name: Name,
  body: Bodies[Name],
): Outcome | undefined {
  const task = replicationTask(name, body);
  return reducers[task.name]?.(state, task.body, rules);
}

/** A cluster of one node that may run tasks. */
const empty = updatedBy(
  applyTask(
    updatedBy(
      applyTask(
        initialState("follower"),
        { kind: "become-cluster-manager", node, joined: [], clusterUuid: "u" },
        rules,
      ),
    ),
    { kind: "recover-state", nowMs: 1 },
    rules,
  ),
);

const leader = { leaderAlias: "lead", leaderIndex: "books", leaderUuid: "uuid" };
const started = updatedBy(apply(empty, "replication/start", { follower, ...leader, settings: {} }));
const allocation = followingOf(started, follower)?.allocation ?? -1;

function creation(): CreateIndex {
  const index = { name: follower, uuid: "copy-uuid" as IndexUuid, creationDateMs: 1 };
  const requested = { "index.number_of_shards": "2", [LEADER_INDEX_SETTING]: "books" };
  const settings = completeIndexSettings(empty, { ...index, requested });
  return { kind: "create-index", ...index, settings, mapping: {}, aliases: {} };
}

const create = { follower, allocation, create: creation() };
const created = updatedBy(apply(started, "replication/create", create));
const followed = updatedBy(
  apply(created, "replication/move", { follower, allocation, to: "INIT_FOLLOW" }),
);

describe("replication/start", () => {
  test("begins a replication, whose task runs on a node that may connect to other clusters", () => {
    expect(followingOf(started, follower)).toEqual({
      follower,
      ...leader,
      settings: {},
      state: "RUNNING",
      reason: "User initiated",
      task: "INIT",
      shards: [],
      nodeId: node.id,
      allocation: 1,
    });
  });

  test("is refused for an index that is there, or followed already", () => {
    const body = { follower, ...leader, settings: {} };
    const error = {
      reason: "Cant use same index again for replication. Delete the index:copy",
      status: 400,
    };

    expect(apply(started, "replication/start", body)).toMatchObject({ kind: "rejected", error });
    const there = updatedBy(applyTask(empty, creation(), rules));
    expect(apply(there, "replication/start", body)).toMatchObject({ kind: "rejected", error });
  });
});

describe("replication/create", () => {
  test("creates the follower index, which clients cannot write to", () => {
    expect(followingOf(created, follower)?.task).toBe("RESTORING");
    expect(checkBlock(created, "write", follower)?.reason).toBe(
      "index [copy] blocked by: [FORBIDDEN/1000/index read-only(cross-cluster-replication)];",
    );
    expect(checkBlock(created, "read", follower)).toBeUndefined();
  });

  test("is without effect for a run that was replaced, and when the index was created", () => {
    expect(apply(started, "replication/create", { ...create, allocation: 9 })?.kind).toBe(
      "unchanged",
    );
    expect(apply(created, "replication/create", create)?.kind).toBe("unchanged");
  });
});

describe("replication/move", () => {
  test("gives each shard a task when the index begins to follow", () => {
    expect(followingOf(followed, follower)).toMatchObject({
      task: "INIT_FOLLOW",
      shards: [
        { shard: 0, state: "INIT" },
        { shard: 1, state: "INIT" },
      ],
    });
  });

  test("is without effect for a run that was replaced", () => {
    const move = { follower, allocation: 9, to: "FOLLOWING" } as const;

    expect(apply(followed, "replication/move", move)?.kind).toBe("unchanged");
  });
});

describe("replication/shard", () => {
  const at = followingOf(followed, follower)?.shards[1]?.allocation ?? -1;

  test("records the state of one shard, and why it failed", () => {
    const failed = { follower, shard: 1, allocation: at, state: "FAILED", error: "gone" } as const;

    const state = updatedBy(apply(followed, "replication/shard", failed));

    expect(followingOf(state, follower)?.shards).toMatchObject([
      { shard: 0, state: "INIT" },
      { shard: 1, state: "FAILED", error: "gone" },
    ]);
  });

  test("is without effect for a run that was replaced", () => {
    const late = { follower, shard: 1, allocation: at + 5, state: "FOLLOWING" } as const;

    expect(apply(followed, "replication/shard", late)?.kind).toBe("unchanged");
  });
});

describe("replication/resume", () => {
  test("resumes only a paused replication: of two requests at once the second is refused", () => {
    const problem = {
      type: "resource_already_exists_exception",
      reason: "Replication on Index copy is already running",
      status: 400,
    };

    expect(after(paused, "replication/resume", { follower })).toMatchObject({ state: "RUNNING" });
    expect(after(running, "replication/resume", { follower })).toEqual(problem);
    expect(after(stopping, "replication/resume", { follower })).toEqual(problem);
  });
});

describe("replication/pause", () => {
  test("pauses only a running replication for a client, and not while its index is restored", () => {
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

  test("ends the tasks of the index and of its shards", () => {
    const state = updatedBy(apply(followed, "replication/pause", { follower, reason: "night" }));

    expect(followingOf(state, follower)).toMatchObject({ task: "COMPLETED", shards: [] });
    expect(followingOf(state, follower)).not.toHaveProperty("nodeId");
  });
});

describe("replication/fail", () => {
  test("ends a replication with the reason", () => {
    const body = { follower, allocation: 7, reason: "gone" };

    expect(after(running, "replication/fail", body)).toMatchObject({
      state: "FAILED",
      reason: "gone",
    });
  });
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

describe("replication/detach", () => {
  const detached = updatedBy(apply(followed, "replication/detach", { follower }));

  test("begins a stop: the index follows no leader any more, and is still blocked", () => {
    const index = detached.metadata.indices.get(follower);

    expect(followingOf(detached, follower)).toMatchObject({ state: "STOPPING", shards: [] });
    expect(index?.settings).not.toHaveProperty(LEADER_INDEX_SETTING);
    expect(checkBlock(detached, "write", follower)?.status).toBe(403);
  });
});

describe("replication/release", () => {
  test("ends a stop: the index is a normal one, which clients write to", () => {
    const state = updatedBy(apply(followed, "replication/release", { follower }));

    expect(followingOf(state, follower)).toBeUndefined();
    expect(checkBlock(state, "write", follower)).toBeUndefined();
    expect(apply(state, "replication/release", { follower })?.kind).toBe("unchanged");
  });
});

describe("replication/settings", () => {
  test("adds settings to those of the request, and replaces equal ones", () => {
    const set = (state: ClusterState, settings: Record<string, string>): ClusterState =>
      updatedBy(apply(state, "replication/settings", { follower, settings }));

    const state = set(set(started, { a: "1", b: "1" }), { b: "2" });

    expect(followingOf(state, follower)?.settings).toEqual({ a: "1", b: "2" });
  });

  test("is refused for an index that follows nothing", () => {
    expect(apply(empty, "replication/settings", { follower, settings: {} })).toMatchObject({
      kind: "rejected",
      error: { reason: "No replication in progress for index:copy", status: 400 },
    });
  });
});

const rule = { name: "all", leaderAlias: "lead", pattern: "logs-*", settings: {} };

describe("replication/add-rule", () => {
  test("adds a rule with a task, and replaces the rule of its name and leader", () => {
    const one = updatedBy(apply(empty, "replication/add-rule", rule));
    const two = updatedBy(apply(one, "replication/add-rule", { ...rule, pattern: "x-*" }));
    const other = updatedBy(apply(two, "replication/add-rule", { ...rule, leaderAlias: "far" }));

    expect(sectionOf(one).rules).toEqual([{ ...rule, nodeId: node.id, allocation: 1 }]);
    expect(sectionOf(two).rules).toEqual([
      { ...rule, pattern: "x-*", nodeId: node.id, allocation: 1 },
    ]);
    expect(sectionOf(other).rules).toHaveLength(2);
  });
});

describe("replication/remove-rule", () => {
  test("removes the rule of the name and the leader, and no other", () => {
    const state = updatedBy(apply(empty, "replication/add-rule", rule));
    const remove = (name: string, leaderAlias: string) =>
      apply(state, "replication/remove-rule", { name, leaderAlias });

    expect(remove("all", "far")?.kind).toBe("unchanged");
    expect(sectionOf(updatedBy(remove("all", "lead"))).rules).toEqual([]);
  });
});

describe("replication/assign", () => {
  test("moves the tasks of a node that left, under new numbers; without such tasks it is without effect", () => {
    const second = { ...node, id: "n2-id" as NodeId, name: "n2", transportAddress: "n2:9300" };
    const joined = { ...started, nodes: new Map([[second.id, second]]) };

    expect(apply(started, "replication/assign", {})?.kind).toBe("unchanged");
    expect(followingOf(updatedBy(apply(joined, "replication/assign", {})), follower)).toMatchObject(
      {
        nodeId: second.id,
        allocation: 2,
      },
    );
  });
});
