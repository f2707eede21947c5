/** Deciders about the history of a copy and about limits of the whole cluster: each as a specification of its rule. */
import {
  plainIndexMetadata,
  repositoriesOf,
  type ShardRouting,
  type Task,
} from "@orrery/cluster-state";
import { defined, type IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  apply,
  createIndex,
  initializing,
  node,
  setCluster,
  settle,
  start,
  step,
  world,
  type World,
} from "./fixture.ts";
import { nodeNameOf, primaryOf, questions, replicaOf } from "./verdicts.ts";

const ALLOCATION = "cluster.routing.allocation";

/** Nodes of these names, and the index `books` with its primary and its replica started. */
function settled(names: readonly string[], replicas = 1): World {
  const made = world(...names.map((name) => node(name)));
  createIndex(made, "books", 1, replicas);
  settle(made);
  return made;
}

/** Excludes a node, so that its copies begin to relocate. */
function drain(made: World, name: string): void {
  setCluster(made, { [`${ALLOCATION}.exclude._name`]: name });
  step(made);
}

describe("max_retry", () => {
  /** The primary of `books` has failed so many times in a row. */
  function failed(times: number, settings: Record<string, string> = {}): World {
    const made = world(node("n1"));
    createIndex(made, "books", 1, 0, settings);
    step(made);
    for (let time = 0; time < times; time += 1) {
      const [routing] = initializing(made);
      if (routing === undefined) throw new Error("nothing recovers");
      step(made, { failed: [{ routing, message: "boom", markAsStale: false }] });
      // The round of a failure does not allocate to the same node again; the next one does.
      step(made);
    }
    return made;
  }

  test("allows a copy without failures", () => {
    const made = failed(0);

    expect(questions("max_retry", made).canAllocate(primaryOf(made, "books"), "n1")).toBe(
      "YES shard has no previous failures",
    );
  });

  test("allows a copy until its fifth failure", () => {
    const made = failed(4);

    expect(questions("max_retry", made).canAllocateAnywhere(primaryOf(made, "books"))).toBe(
      "YES shard has failed allocating [4] times but [5] retries are allowed",
    );
  });

  test("refuses a copy after five failures, even where a primary may be forced", () => {
    const made = failed(5);
    const copy = primaryOf(made, "books");
    const { canAllocate, canAllocateAnywhere, canForcePrimary } = questions("max_retry", made);
    const refusal =
      /^NO shard has exceeded the maximum number of retries \[5\] on failed allocation attempts - manually call \[\/_cluster\/reroute\?retry_failed=true\] to retry, \[unassigned_info\[\[reason=ALLOCATION_FAILED\], at\[.*\], failed_attempts\[5\].*boom/;

    expect(canAllocate(copy, "n1")).toMatch(refusal);
    expect(canAllocateAnywhere(copy)).toMatch(refusal);
    expect(canForcePrimary(copy, "n1")).toMatch(refusal);
  });

  test("counts to `index.allocation.max_retries`", () => {
    const made = failed(1, { "index.allocation.max_retries": "1" });

    expect(questions("max_retry", made).canAllocate(primaryOf(made, "books"), "n1")).toMatch(
      /^NO shard has exceeded the maximum number of retries \[1\]/,
    );
  });
});

describe("resize", () => {
  /** `books` of two shards on n1, and an unassigned primary of `more` that is resized from it. */
  function resized(shards: number, isStarted = true): World {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 2, 0, { "index.routing.allocation.include._name": "n1" });
    if (isStarted) settle(made);
    createIndex(made, "more", shards, 0);
    return made;
  }

  function fromBooks(made: World, shard: number): ShardRouting {
    return {
      ...primaryOf(made, "more", shard),
      recoverySource: { type: "LOCAL_SHARDS", sourceIndex: "books" },
    };
  }

  test("has no say about a copy that is not resized", () => {
    const made = resized(2);

    expect(questions("resize", made).canAllocate(primaryOf(made, "more"), "n2")).toBeUndefined();
  });

  test("allocates a clone to the node of the source primary, and nowhere else", () => {
    const made = resized(2);
    const { canAllocate, canForcePrimary } = questions("resize", made);

    expect(canAllocate(fromBooks(made, 0), "n1")).toBe(
      "YES source primary is allocated on this node",
    );
    expect(canForcePrimary(fromBooks(made, 0), "n2")).toBe(
      "NO source primary is allocated on another node",
    );
  });

  test("takes shards of a split from the source shard that they are a part of", () => {
    const made = resized(4);
    // Shard 1 of `books` is away: shards 2 and 3 of the split wait, shards 0 and 1 do not.
    const lost = primaryOf(made, "books", 1);
    setCluster(made, { [`${ALLOCATION}.enable`]: "none" });
    step(made, { failed: [{ routing: lost, message: "boom", markAsStale: false }] });
    const { canAllocateAnywhere } = questions("resize", made);

    expect([0, 1, 2, 3].map((shard) => canAllocateAnywhere(fromBooks(made, shard)))).toEqual([
      "YES source primary is active",
      "YES source primary is active",
      "NO source primary shard [[books][1]] is not active",
      "NO source primary shard [[books][1]] is not active",
    ]);
  });

  test("leaves a shrunken index to the filter of its initial recovery", () => {
    const made = resized(1, false);

    expect(questions("resize", made).canAllocate(fromBooks(made, 0), "n2")).toBeUndefined();
  });

  test("refuses a copy whose source index is gone", () => {
    const made = resized(2);
    const copy = fromBooks(made, 0);
    apply(made, {
      kind: "delete-index",
      index: "books",
      uuid: "books-uuid" as IndexUuid,
      nowMs: 1,
      maxTombstones: 10,
    });

    expect(questions("resize", made).canAllocate(copy, "n1")).toBe(
      "NO resize source index [books] doesn't exists",
    );
  });
});

describe("replica_after_primary_active", () => {
  test("refuses a replica until its primary has started; a primary waits for nobody", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 1);
    step(made);
    const waiting = questions("replica_after_primary_active", made);

    expect(waiting.canAllocate(primaryOf(made, "books"), "n2")).toBe(
      "YES shard is primary and can be allocated",
    );
    expect(waiting.canAllocate(replicaOf(made, "books"), "n2")).toBe(
      "NO primary shard for this replica is not yet active",
    );

    start(made, initializing(made));
    const after = questions("replica_after_primary_active", made);

    expect(after.canAllocateAnywhere(replicaOf(made, "books"))).toBe(
      "YES primary shard for this replica is already active",
    );
  });
});

describe("rebalance_only_when_active", () => {
  test("keeps each copy in its place while another copy of the shard is not active", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 1);
    step(made);
    start(made, initializing(made));

    expect(
      questions("rebalance_only_when_active", made).canRebalance(primaryOf(made, "books")),
    ).toBe("NO rebalancing is not allowed until all replicas in the cluster are active");

    start(made, initializing(made));

    expect(
      questions("rebalance_only_when_active", made).canRebalance(primaryOf(made, "books")),
    ).toBe("YES rebalancing is allowed as all replicas are active in the cluster");
  });

  test("does not ask about other shards", () => {
    const made = settled(["n1", "n2"]);
    createIndex(made, "waiting", 1, 1);

    expect(
      questions("rebalance_only_when_active", made).canRebalance(primaryOf(made, "books")),
    ).toMatch(/^YES/);
  });
});

describe("cluster_rebalance", () => {
  const verdictOf = (made: World) => questions("cluster_rebalance", made).canRebalanceCluster();

  test("waits for all copies of the cluster by default: unassigned ones, then recovering ones", () => {
    const made = settled(["n1", "n2"]);
    createIndex(made, "more", 1, 0);
    const reason = `and cluster setting [${ALLOCATION}.allow_rebalance] is set to [indices_all_active]`;

    expect(verdictOf(made)).toBe(`NO the cluster has unassigned shards ${reason}`);
    step(made);
    expect(verdictOf(made)).toBe(`NO the cluster has inactive shards ${reason}`);
    settle(made);
    expect(verdictOf(made)).toBe("YES all shards are active");
  });

  test("waits for primaries alone, or for nothing, as the setting says", () => {
    // One node: the replica stays unassigned.
    const made = settled(["n1"]);

    setCluster(made, { [`${ALLOCATION}.allow_rebalance`]: "indices_primaries_active" });
    expect(verdictOf(made)).toBe("YES all primary shards are active");
    createIndex(made, "more", 1, 0);
    expect(verdictOf(made)).toBe(
      `NO the cluster has unassigned primary shards and cluster setting [${ALLOCATION}.allow_rebalance] is set to [indices_primaries_active]`,
    );
    setCluster(made, { [`${ALLOCATION}.allow_rebalance`]: "always" });
    expect(verdictOf(made)).toBe("YES all shards are active");
  });
});

describe("concurrent_rebalance", () => {
  const KEY = `${ALLOCATION}.cluster_concurrent_rebalance`;
  const verdictOf = (made: World) => questions("concurrent_rebalance", made).canRebalanceCluster();

  test("throttles rebalancing at as many relocations as the setting allows", () => {
    const made = settled(["n1", "n2", "n3"], 0);

    expect(verdictOf(made)).toBe(
      "YES below threshold [2] for concurrent rebalances, current rebalance shard count [0]",
    );
    setCluster(made, { [KEY]: "1" });
    drain(made, nodeNameOf(made, primaryOf(made, "books")));
    expect(verdictOf(made)).toBe(
      `THROTTLE reached the limit of concurrently rebalancing shards [1], cluster setting [${KEY}=1]`,
    );
  });

  test("has no limit at -1", () => {
    const made = settled(["n1", "n2"], 0);
    setCluster(made, { [KEY]: "-1" });
    drain(made, nodeNameOf(made, primaryOf(made, "books")));

    expect(verdictOf(made)).toBe("YES unlimited concurrent rebalances are allowed");
  });
});

describe("cluster_concurrent_recoveries", () => {
  const KEY = `${ALLOCATION}.cluster_concurrent_recoveries`;

  test("has no limit by default", () => {
    const made = settled(["n1", "n2"], 0);

    expect(questions("cluster_concurrent_recoveries", made).canMoveAny()).toBe(
      "YES undefined cluster concurrent recoveries",
    );
  });

  test("throttles moves and allocations at as many relocations as the setting allows", () => {
    const made = settled(["n1", "n2", "n3"], 0);
    setCluster(made, { [KEY]: "1" });
    expect(questions("cluster_concurrent_recoveries", made).canMoveAny()).toBe(
      "YES below threshold [1] for concurrent recoveries, current relocating shard count [0]",
    );

    drain(made, nodeNameOf(made, primaryOf(made, "books")));
    const { canMoveAny, canAllocate } = questions("cluster_concurrent_recoveries", made);
    const throttled = `THROTTLE too many shards are concurrently relocating [1], limit: [1] cluster setting [${KEY}=1]`;

    expect(canMoveAny()).toBe(throttled);
    expect(canAllocate(primaryOf(made, "books"), "n3")).toBe(throttled);
  });
});

describe("enable", () => {
  const KEY = `${ALLOCATION}.enable`;
  const REBALANCE = "cluster.routing.rebalance.enable";

  /** A started primary and replica of `books`, and an unassigned primary of the new index `more`. */
  function made(value: string, key = KEY): World {
    const held = settled(["n1", "n2"]);
    createIndex(held, "more", 1, 0);
    setCluster(held, { [key]: value });
    return held;
  }

  test.each([
    [
      "none",
      `NO no allocations are allowed due to cluster setting [${KEY}=none]`,
      `NO no allocations are allowed due to cluster setting [${KEY}=none]`,
      `NO no allocations are allowed due to cluster setting [${KEY}=none]`,
    ],
    [
      "new_primaries",
      "YES new primary allocations are allowed",
      `NO non-new primary allocations are forbidden due to cluster setting [${KEY}=new_primaries]`,
      `NO non-new primary allocations are forbidden due to cluster setting [${KEY}=new_primaries]`,
    ],
    [
      "primaries",
      "YES primary allocations are allowed",
      "YES primary allocations are allowed",
      `NO replica allocations are forbidden due to cluster setting [${KEY}=primaries]`,
    ],
    [
      "all",
      "YES all allocations are allowed",
      "YES all allocations are allowed",
      "YES all allocations are allowed",
    ],
  ])(
    "set to %s, judges a new primary, another primary, a replica",
    (value, fresh, old, replica) => {
      const held = made(value);
      const { canAllocate } = questions("enable", held);
      const lost: ShardRouting = {
        ...primaryOf(held, "more"),
        recoverySource: { type: "EXISTING_STORE", bootstrapNewHistoryUuid: false },
      };

      expect(canAllocate(primaryOf(held, "more"), "n1")).toBe(fresh);
      expect(canAllocate(lost, "n1")).toBe(old);
      expect(canAllocate(replicaOf(held, "books"), "n1")).toBe(replica);
    },
  );

  test("takes the setting of the index before that of the cluster", () => {
    const held = settled(["n1"], 0);
    createIndex(held, "more", 1, 0, { "index.routing.allocation.enable": "all" });
    createIndex(held, "none", 1, 0, { "index.routing.allocation.enable": "none" });
    setCluster(held, { [KEY]: "none" });
    const { canAllocateAnywhere } = questions("enable", held);

    expect(canAllocateAnywhere(primaryOf(held, "more"))).toBe("YES all allocations are allowed");
    expect(canAllocateAnywhere(primaryOf(held, "none"))).toBe(
      "NO no allocations are allowed due to index setting [index.routing.allocation.enable=none]",
    );
  });

  test("does not bind reroute commands", () => {
    const held = made("none");
    const { canAllocate } = questions("enable", held, {}, { ignoresDisable: true });

    expect(canAllocate(replicaOf(held, "books"), "n1")).toBe(
      "YES explicitly ignoring any disabling of allocation due to manual allocation commands via the reroute API",
    );
  });

  test.each([
    ["primaries", "YES primary rebalancing is allowed", /^NO replica rebalancing is forbidden due/],
    ["replicas", /^NO primary rebalancing is forbidden due/, "YES replica rebalancing is allowed"],
    ["none", /^NO no rebalancing is allowed due/, /^NO no rebalancing is allowed due/],
    ["all", "YES all rebalancing is allowed", "YES all rebalancing is allowed"],
  ])("set to rebalance %s, judges a primary and a replica", (value, primary, replica) => {
    const held = made(value, REBALANCE);
    const { canRebalance } = questions("enable", held);

    expect(canRebalance(primaryOf(held, "books"))).toMatch(primary);
    expect(canRebalance(replicaOf(held, "books"))).toMatch(replica);
  });

  test("stops all rebalancing, unless an index allows its own", () => {
    const held = made("none", REBALANCE);
    expect(questions("enable", held).canRebalanceCluster()).toBe(
      `NO no rebalancing is allowed due to cluster setting [${REBALANCE}=none]`,
    );

    createIndex(held, "free", 1, 0, { "index.routing.rebalance.enable": "all" });

    expect(questions("enable", held).canRebalanceCluster()).toBe(
      "YES rebalancing is permitted on one or more indices",
    );
  });
});

describe("throttling", () => {
  const PRIMARIES = `${ALLOCATION}.node_initial_primaries_recoveries`;
  const REPLICAS = `${ALLOCATION}.node_initial_replicas_recoveries`;
  const INCOMING = `${ALLOCATION}.node_concurrent_incoming_recoveries`;
  const OUTGOING = `${ALLOCATION}.node_concurrent_outgoing_recoveries`;

  test("lets a node create four primaries at a time", () => {
    const made = world(node("n1"));
    createIndex(made, "books", 5, 0);
    expect(questions("throttling", made).canAllocate(primaryOf(made, "books", 4), "n1")).toBe(
      "YES below primary recovery limit of [4]",
    );

    step(made);

    expect(initializing(made)).toHaveLength(4);
    expect(questions("throttling", made).canAllocate(primaryOf(made, "books", 4), "n1")).toBe(
      `THROTTLE reached the limit of ongoing initial primary recoveries [4], cluster setting [${PRIMARIES}=4]`,
    );
  });

  test("counts replicas of a new index apart from other recoveries", () => {
    const made = world(node("n1"), node("n2"));
    setCluster(made, { [REPLICAS]: "1" });
    createIndex(made, "books", 2, 1, { "index.routing.allocation.include._name": "n1" });
    settle(made);
    apply(made, settingsOf("books", { "index.routing.allocation.include._name": null }));
    step(made);
    const waiting = [0, 1]
      .map((shard) => replicaOf(made, "books", shard))
      .filter(({ state }) => state === "UNASSIGNED");

    expect(waiting).toHaveLength(1);
    expect(questions("throttling", made).canAllocate(defined(waiting[0], "replica"), "n2")).toBe(
      `THROTTLE reached the limit of incoming shard recoveries [1], cluster setting [${REPLICAS}=1]`,
    );
  });

  test("limits what a node receives and what the node of the primary sends", () => {
    const made = settled(["n1", "n2", "n3"], 0);
    const from = nodeNameOf(made, primaryOf(made, "books"));
    drain(made, from);
    const to = primaryOf(made, "books").relocatingNodeId;
    const target = defined(made.state.nodes.get(defined(to, "target")), "node").name;
    const other = ["n1", "n2", "n3"].find((name) => name !== from && name !== target) ?? "";
    const replica: ShardRouting = {
      ...primaryOf(made, "books"),
      primary: false,
      state: "UNASSIGNED",
      nodeId: undefined,
      unassignedInfo: undefined,
    };
    expect(questions("throttling", made).canAllocate(replica, other)).toBe(
      "YES below shard recovery limit of outgoing: [1 < 2] incoming: [0 < 2]",
    );

    setCluster(made, { [OUTGOING]: "1" });
    const hint = ` (can also be set via [${ALLOCATION}.node_concurrent_recoveries])`;
    expect(questions("throttling", made).canAllocate(replica, other)).toBe(
      `THROTTLE reached the limit of outgoing shard recoveries [1] on the node [${from}-id] which holds the primary, cluster setting [${OUTGOING}=1]${hint}`,
    );
    expect(questions("throttling", made).canMoveAway(primaryOf(made, "books"))).toBe(
      `THROTTLE too many outgoing shards are currently recovering [1], limit: [1] cluster setting [${OUTGOING}=1]`,
    );

    setCluster(made, { [OUTGOING]: null, [INCOMING]: "1" });
    expect(questions("throttling", made).canTakeAny(target)).toBe(
      `THROTTLE too many incoming shards are currently recovering [1], limit: [1] cluster setting [${INCOMING}=1]`,
    );
    expect(questions("throttling", made).canTakeAny(other)).toBe(
      "YES below shard recovery limit of incoming: [0 < 1]",
    );
  });

  test("refuses a replica whose primary is not active", () => {
    const made = world(node("n1"), node("n2"));
    createIndex(made, "books", 1, 1);
    step(made);

    expect(questions("throttling", made).canAllocate(replicaOf(made, "books"), "n2")).toBe(
      "NO primary shard for this replica is not yet active",
    );
  });
});

function settingsOf(index: string, settings: Record<string, string | null>): Task {
  return {
    kind: "update-index-settings",
    indices: [index],
    settings,
    preserveExisting: false,
    nowMs: 1,
  };
}

function withRepository(made: World): void {
  apply(made, { kind: "put-repository", name: "r", type: "fs", settings: { location: "/r" } });
}

describe("snapshot_in_progress", () => {
  /** A snapshot of `books` runs; `more` is not in it. */
  function snapshotted(): World {
    const made = settled(["n1", "n2"]);
    createIndex(made, "more", 1, 0);
    settle(made);
    withRepository(made);
    apply(made, {
      kind: "create-snapshot",
      repository: "r",
      snapshot: "s",
      uuid: "s-uuid",
      repositoryGeneration: defined(repositoriesOf(made.state).get("r"), "repository").generation,
      indices: [{ name: "books", id: "id-1", path_type: "FIXED", generations: [] }],
      includeGlobalState: false,
      partial: false,
      nowMs: 1,
    });
    return made;
  }

  test("holds a primary on its node until its snapshot is complete", () => {
    const made = snapshotted();
    const copy = primaryOf(made, "books");
    const waits = `THROTTLE waiting for snapshotting of shard [[books][0]] to complete on this node [${copy.nodeId}]`;
    expect(questions("snapshot_in_progress", made).canRebalance(copy)).toBe(waits);
    expect(questions("snapshot_in_progress", made).canAllocate(copy, "n1")).toBe(waits);

    const result = { kind: "success", generation: "g1" } as const;
    const update = { uuid: "s-uuid", id: "id-1", shard: 0, result };
    apply(made, { kind: "update-snapshot-shards", updates: [update] });

    expect(questions("snapshot_in_progress", made).canRebalance(copy)).toBe(
      "YES the shard is not being snapshotted",
    );
  });

  test("lets replicas and other indices move", () => {
    const made = snapshotted();
    const { canRebalance } = questions("snapshot_in_progress", made);

    expect(canRebalance(replicaOf(made, "books"))).toBe("YES the shard is not being snapshotted");
    expect(canRebalance(primaryOf(made, "more"))).toBe("YES the shard is not being snapshotted");
  });

  test("has nothing to wait for without a snapshot", () => {
    const made = settled(["n1"], 0);

    expect(questions("snapshot_in_progress", made).canRebalance(primaryOf(made, "books"))).toBe(
      "YES no snapshots are currently running",
    );
  });
});

describe("restore_in_progress", () => {
  /** `old` is restored from the snapshot `s`; its primary is not assigned yet. */
  function restored(): World {
    const made = world(node("n1"));
    createIndex(made, "old", 1, 0);
    const metadata = plainIndexMetadata(defined(made.state.metadata.indices.get("old"), "index"));
    apply(made, {
      kind: "delete-index",
      index: "old",
      uuid: "old-uuid" as IndexUuid,
      nowMs: 1,
      maxTombstones: 10,
    });
    withRepository(made);
    apply(made, {
      kind: "restore-snapshot",
      uuid: "restore-uuid",
      repository: "r",
      snapshot: "s",
      snapshotUuid: "s-uuid",
      indices: [{ source: "old", id: "id-1", pathType: "FIXED", metadata, missingShards: [] }],
      nowMs: 1,
    });
    return made;
  }

  test("allows a shard while its restore runs", () => {
    const made = restored();

    expect(questions("restore_in_progress", made).canAllocate(primaryOf(made, "old"), "n1")).toBe(
      "YES shard is currently being restored",
    );
  });

  test("refuses a shard whose restore is over, also where a primary may be forced", () => {
    const made = restored();
    const copy = primaryOf(made, "old");
    const other: ShardRouting = {
      ...copy,
      recoverySource: {
        type: "SNAPSHOT",
        repository: "r",
        snapshot: "earlier",
        snapshotUuid: "earlier-uuid",
        index: "old",
      },
    };
    const { canAllocateAnywhere, canForcePrimary } = questions("restore_in_progress", made);
    const refusal =
      "NO shard has failed to be restored from the snapshot [r:earlier/earlier-uuid] because of [restore_source[r/s]] - manually close or delete the index [old] in order to retry to restore the snapshot again or use the reroute API to force the allocation of an empty primary shard";

    expect(canAllocateAnywhere(other)).toBe(refusal);
    expect(canForcePrimary(other, "n1")).toBe(refusal);
  });

  test("has no objection to other recoveries", () => {
    const made = world(node("n1"));
    createIndex(made, "books", 1, 0);

    expect(questions("restore_in_progress", made).canAllocate(primaryOf(made, "books"), "n1")).toBe(
      "YES ignored as shard is not being recovered from a snapshot",
    );
  });
});

describe("remote_store_migration", () => {
  test("allows every copy, since no cluster migrates to a remote store", () => {
    const made = settled(["n1", "n2"]);
    createIndex(made, "more", 1, 0);
    const { canAllocate } = questions("remote_store_migration", made);

    expect(canAllocate(primaryOf(made, "more"), "n1")).toBe(
      "YES [none migration_direction]: primary shard copy can be allocated to a non-remote node for strict compatibility mode",
    );
    expect(canAllocate(replicaOf(made, "books"), "n1")).toBe(
      "YES [none migration_direction]: replica shard copy can be relocated to a non-remote node for strict compatibility mode",
    );
  });
});

describe("target_pool", () => {
  test("allows every shard and every index on every node, since all are local", () => {
    const made = settled(["n1"], 0);
    const copy = primaryOf(made, "books");
    const pools = "pool: [LOCAL_ONLY], node pool: [LOCAL_ONLY]";
    const { canAllocate, canForcePrimary, canHoldIndex, canRemain } = questions(
      "target_pool",
      made,
    );

    for (const verdict of [canAllocate, canForcePrimary, canRemain]) {
      expect(verdict(copy, "n1")).toBe(`YES Routing pools are compatible. Shard ${pools}`);
    }
    expect(canHoldIndex("books", "n1")).toBe(`YES Routing pools are compatible. Index ${pools}`);
  });
});
