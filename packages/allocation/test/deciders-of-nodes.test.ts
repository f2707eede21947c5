/** Deciders about the fitness of a node for a copy: each as a specification of its rule. */
import type { DiscoveryNode, SettingsChange, ShardRouting } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { ClusterInfo } from "../src/index.ts";
import { createIndex, node, setCluster, settle, step, world, type World } from "./fixture.ts";
import { nodeNameOf, primaryOf, questions, replicaOf } from "./verdicts.ts";

const ALLOCATION = "cluster.routing.allocation";

/** These nodes, and the index `books` on them as far as it can be allocated. */
function settled(
  nodes: readonly DiscoveryNode[],
  replicas: number,
  settings: SettingsChange = {},
): World {
  const made = world(...nodes);
  createIndex(made, "books", 1, replicas, settings);
  settle(made);
  return made;
}

describe("node_version", () => {
  const old = node("old", { version: "3.8.0" });
  const young = node("young", { version: "3.9.0" });

  test("never recovers a replica to a node that is older than the primary's", () => {
    const made = settled([old, young], 1, { [`index.routing.allocation.include._name`]: "young" });

    expect(questions("node_version", made).canAllocate(replicaOf(made, "books"), "old")).toBe(
      "NO cannot allocate replica shard to a node with version [3.8.0] since this is older than the primary version [3.9.0]",
    );
  });

  test("recovers a replica to a node that is as new, or newer", () => {
    const made = settled([old, young], 1, { [`index.routing.allocation.include._name`]: "old" });
    const { canAllocate } = questions("node_version", made);

    expect(canAllocate(replicaOf(made, "books"), "young")).toBe(
      "YES can allocate replica shard to a node with version [3.9.0] since this is equal-or-newer than the primary version [3.8.0]",
    );
    expect(canAllocate(replicaOf(made, "books"), "old")).toMatch(/^YES/);
  });

  test("relocates a primary to a newer node, and not back", () => {
    const there = settled([old, young], 0, { [`index.routing.allocation.include._name`]: "young" });
    const here = settled([old, young], 0, { [`index.routing.allocation.include._name`]: "old" });

    expect(questions("node_version", there).canAllocate(primaryOf(there, "books"), "old")).toBe(
      "NO cannot relocate primary shard from a node with version [3.9.0] to a node with older version [3.8.0]",
    );
    expect(questions("node_version", here).canAllocate(primaryOf(here, "books"), "young")).toBe(
      "YES can relocate primary shard from a node with version [3.8.0] to a node with equal-or-newer version [3.9.0]",
    );
  });

  test("has nothing to compare a new primary with, nor a replica without a primary", () => {
    const made = world(old, young);
    createIndex(made, "books", 1, 1);
    const { canAllocate } = questions("node_version", made);

    expect(canAllocate(primaryOf(made, "books"), "old")).toBe(
      "YES the primary shard is new or already existed on the node",
    );
    expect(canAllocate(replicaOf(made, "books"), "old")).toBe("YES no active primary shard yet");
  });
});

describe("filter", () => {
  const nodes = [
    node("n1", { attributes: { zone: "a", rack: "r1" } }),
    node("n2", { attributes: { zone: "b" } }),
  ];
  const PASSES = "YES node passes include/exclude/require filters";

  /** Verdicts of both nodes on an unassigned primary. */
  function verdicts(cluster: SettingsChange, index: SettingsChange = {}): readonly unknown[] {
    const made = world(...nodes);
    setCluster(made, cluster);
    createIndex(made, "books", 1, 0, index);
    const { canAllocate } = questions("filter", made);
    return ["n1", "n2"].map((name) => canAllocate(primaryOf(made, "books"), name));
  }

  test("require: a node needs every value", () => {
    const settings = {
      [`${ALLOCATION}.require.zone`]: "a",
      [`${ALLOCATION}.require.rack`]: "r1",
    };
    expect(verdicts(settings)).toEqual([
      PASSES,
      expect.stringMatching(/^NO node does not match cluster setting .* filters \[.*rack:"r1"/),
    ]);
    expect(verdicts({ [`${ALLOCATION}.require.zone`]: "a,b" })).toEqual([
      `NO node does not match cluster setting [${ALLOCATION}.require] filters [zone:"a AND b"]`,
      `NO node does not match cluster setting [${ALLOCATION}.require] filters [zone:"a AND b"]`,
    ]);
  });

  test("include: a node needs one of the values", () => {
    expect(verdicts({ [`${ALLOCATION}.include.zone`]: "a,c" })).toEqual([
      PASSES,
      `NO node does not cluster setting [${ALLOCATION}.include] filters [zone:"a OR c"]`,
    ]);
  });

  test("exclude: a node must have none of the values; names may be patterns", () => {
    expect(verdicts({ [`${ALLOCATION}.exclude._name`]: "x,*2" })).toEqual([
      PASSES,
      `NO node matches cluster setting [${ALLOCATION}.exclude] filters [_name:"x OR *2"]`,
    ]);
  });

  test("filters of an index apply to its copies, after those of the cluster", () => {
    const index = { "index.routing.allocation.include._name": "n2" };
    expect(verdicts({}, index)).toEqual([
      'NO node does not match index setting [index.routing.allocation.include] filters [_name:"n2"]',
      PASSES,
    ]);
    expect(verdicts({ [`${ALLOCATION}.exclude.zone`]: "b" }, index)[1]).toMatch(
      /^NO node matches cluster setting/,
    );
  });

  test("a started copy does not remain where a filter excludes it", () => {
    const made = settled(nodes, 0);
    const copy = primaryOf(made, "books");
    const name = nodeNameOf(made, copy);
    setCluster(made, { [`${ALLOCATION}.exclude._name`]: name });
    const { canRemain, canTakeAny, canHoldIndex } = questions("filter", made);
    const refusal = `NO node matches cluster setting [${ALLOCATION}.exclude] filters [_name:"${name}"]`;

    expect(canRemain(copy, name)).toBe(refusal);
    expect(canTakeAny(name)).toBe(refusal);
    expect(canHoldIndex("books", name)).toBe(refusal);
  });

  test("a shrunken index starts on a node that has all its source shards", () => {
    const made = world(...nodes);
    createIndex(made, "books", 1, 0);
    const state = made.state;
    const held = state.metadata.indices.get("books");
    if (held === undefined) throw new Error("no index");
    const settings = {
      ...held.settings,
      "index.routing.allocation.initial_recovery._id": "n1-id",
    };
    const indices = new Map(state.metadata.indices).set("books", { ...held, settings });
    made.state = { ...state, metadata: { ...state.metadata, indices } };
    const copy: ShardRouting = {
      ...primaryOf(made, "books"),
      recoverySource: { type: "LOCAL_SHARDS", sourceIndex: "large" },
    };
    const { canAllocate } = questions("filter", made);

    expect(canAllocate(copy, "n1")).toBe(PASSES);
    expect(canAllocate(copy, "n2")).toBe(
      'NO initial allocation of the shrunken index is only allowed on nodes [_id:"n1-id"] that hold a copy of every shard in the index',
    );
    // Any other copy of it, and its later moves, are free.
    expect(canAllocate(primaryOf(made, "books"), "n2")).toBe(PASSES);
  });
});

describe("search_replica_allocation", () => {
  test("keeps copies off nodes of the role search, since no index has search replicas", () => {
    const made = world(node("n1"), node("s1", { roles: ["data", "search"] }));
    createIndex(made, "books", 1, 0);
    const copy = primaryOf(made, "books");
    const { canAllocate, canRemain } = questions("search_replica_allocation", made);
    const shard = /shard: \[\[books\]\[0\], node\[null\], \[P\], .*\]$/;

    expect(canAllocate(copy, "n1")).toMatch(
      /^YES node and shard are compatible\. node: \[n1-id\], is search node: \[false\], /,
    );
    expect(canRemain(copy, "s1")).toMatch(
      /^NO node and shard are not compatible\. node: \[s1-id\], is search node: \[true\], /,
    );
    expect(canAllocate(copy, "s1")).toMatch(shard);
  });
});

describe("same_shard", () => {
  const HOST = `${ALLOCATION}.same_shard.host`;

  test("refuses a node that holds a copy of the shard, also to a forced primary", () => {
    const made = settled([node("n1"), node("n2")], 2);
    const primary = primaryOf(made, "books");
    const name = nodeNameOf(made, primary);
    const waiting = { ...replicaOf(made, "books"), nodeId: undefined, allocationId: undefined };
    const { canAllocate, canForcePrimary } = questions("same_shard", made);
    const refusal = `NO a copy of this shard is already allocated to this node [[books][0], node[${primary.nodeId}], [P], s[STARTED], a[id=${primary.allocationId}]]`;

    expect(canAllocate(waiting, name)).toBe(refusal);
    expect(canForcePrimary(waiting, name)).toBe(refusal);
    expect(canAllocate(primary, name)).toMatch(
      /^NO this shard is already allocated to this node \[/,
    );
  });

  test("allows a node without a copy, whatever its host holds", () => {
    const made = settled([node("n1"), node("n2")], 0);
    const other = nodeNameOf(made, primaryOf(made, "books")) === "n1" ? "n2" : "n1";

    expect(questions("same_shard", made).canAllocate(waitingReplica(made), other)).toBe(
      "YES this node does not hold a copy of this shard",
    );
  });

  test("keeps copies on different hosts when it is set to", () => {
    const nodes = [
      node("n1", { hostAddress: "10.0.0.1", hostName: "one" }),
      node("n2", { hostAddress: "10.0.0.1", hostName: "two" }),
      node("n3", { hostAddress: "10.0.0.3", hostName: "one" }),
      node("n4", { hostAddress: "10.0.0.4", hostName: "four" }),
    ];
    const made = settled(nodes, 0, { "index.routing.allocation.include._name": "n1" });
    setCluster(made, { [HOST]: "true" });
    const { canAllocate } = questions("same_shard", made);
    const end = `, on node [n1-id], and [${HOST}] is [true] which forbids more than one node on this host from holding a copy of this shard`;

    expect(canAllocate(waitingReplica(made), "n2")).toBe(
      `NO a copy of this shard is already allocated to host address [10.0.0.1]${end}`,
    );
    expect(canAllocate(waitingReplica(made), "n3")).toBe(
      `NO a copy of this shard is already allocated to host name [one]${end}`,
    );
    expect(canAllocate(waitingReplica(made), "n4")).toBe(
      "YES none of the nodes on this host hold a copy of this shard",
    );
    // The primary itself may move within its host.
    expect(canAllocate(primaryOf(made, "books"), "n2")).toMatch(/^YES/);
  });
});

/** A replica that would be allocated next. */
function waitingReplica(made: World): ShardRouting {
  return {
    ...primaryOf(made, "books"),
    primary: false,
    state: "UNASSIGNED",
    nodeId: undefined,
    allocationId: undefined,
    recoverySource: { type: "PEER" },
  };
}

describe("disk_threshold", () => {
  const GIB = 1024 ** 3;
  const LOW = `cluster setting [${ALLOCATION}.disk.watermark.low=85%]`;
  const HIGH = `cluster setting [${ALLOCATION}.disk.watermark.high=90%]`;

  /** Free space of a disk of 100 GiB on n1; n2 is empty. */
  function info(freeGib: number, shardGib = 0): { readonly info: ClusterInfo } {
    const usage = (gib: number) => ({ path: "/", totalBytes: 100 * GIB, freeBytes: gib * GIB });
    const shardSizes = new Map([["[books][0][p]", shardGib * GIB]]);
    const diskUsages = new Map([
      ["n1-id" as NodeId, usage(freeGib)],
      ["n2-id" as NodeId, usage(100)],
    ]);
    return { info: { diskUsages, shardSizes } };
  }

  function made(cluster: SettingsChange = {}): World {
    const held = world(node("n1"), node("n2"));
    setCluster(held, cluster);
    createIndex(held, "books", 1, 1);
    return held;
  }

  const allocates = (freeGib: number, shardGib: number, held = made()) =>
    questions("disk_threshold", held, info(freeGib, shardGib)).canAllocate(
      replicaOf(held, "books"),
      "n1",
    );

  test("takes a shard that leaves the disk below the high watermark", () => {
    expect(allocates(20, 5)).toBe(
      "YES enough disk for shard on node, free: [20gb], shard size: [5gb], free after allocating shard: [15gb]",
    );
    expect(allocates(20, 15)).toBe(
      `NO allocating the shard to this node will bring the node above the high watermark ${HIGH} and cause it to use more disk space than the maximum allowed [90.0%] (free space after shard added: [5.0%])`,
    );
  });

  test("takes nothing above the low watermark but a new primary, up to the high one", () => {
    expect(allocates(12, 0)).toBe(
      `NO the node is above the low watermark ${LOW}, using more disk space than the maximum allowed [85.0%], actual free: [12.0%]`,
    );
    const held = made();
    const fresh = (freeGib: number) =>
      questions("disk_threshold", held, info(freeGib)).canAllocate(primaryOf(held, "books"), "n1");

    expect(fresh(12)).toBe(
      "YES the node is above the low watermark, but less than the high watermark, and this primary shard has never been allocated before",
    );
    expect(fresh(8)).toBe(
      `NO the node is above the high watermark ${HIGH}, using more disk space than the maximum allowed [90.0%], actual free: [8.0%]`,
    );
  });

  test("counts a watermark in bytes as space that must stay free", () => {
    const settings = {
      [`${ALLOCATION}.disk.watermark.low`]: "30gb",
      [`${ALLOCATION}.disk.watermark.high`]: "20gb",
      [`${ALLOCATION}.disk.watermark.flood_stage`]: "10gb",
    };
    expect(allocates(25, 0, made(settings))).toBe(
      `NO the node is above the low watermark cluster setting [${ALLOCATION}.disk.watermark.low=30gb], having less than the minimum required [30gb] free space, actual free: [25gb]`,
    );
    expect(allocates(35, 16, made(settings))).toBe(
      `NO allocating the shard to this node will bring the node above the high watermark cluster setting [${ALLOCATION}.disk.watermark.high=20gb] and cause it to have less than the minimum required [20gb] of free space (free: [35gb], estimated shard size: [16gb])`,
    );
  });

  test("moves a copy away above the high watermark, and not above the low one", () => {
    const held = settled([node("n1"), node("n2")], 0, {
      "index.routing.allocation.include._name": "n1",
    });
    const copy = primaryOf(held, "books");
    const remains = (freeGib: number) =>
      questions("disk_threshold", held, info(freeGib)).canRemain(copy, "n1");

    expect(remains(12)).toBe(
      "YES there is enough disk on this node for the shard to remain, free: [12gb]",
    );
    expect(remains(8)).toBe(
      `NO the shard cannot remain on this node because it is above the high watermark ${HIGH} and there is less than the required [10.0%] free disk on node, actual free: [8.0%]`,
    );
  });

  test("counts a disk that is exactly at a watermark as below it", () => {
    const bytes = {
      [`${ALLOCATION}.disk.watermark.low`]: "30gb",
      [`${ALLOCATION}.disk.watermark.high`]: "20gb",
      [`${ALLOCATION}.disk.watermark.flood_stage`]: "10gb",
    };
    expect(allocates(15, 5)).toMatch(/^YES/);
    expect(allocates(30, 10, made(bytes))).toMatch(/^YES/);

    const held = settled([node("n1"), node("n2")], 0, {
      "index.routing.allocation.include._name": "n1",
    });
    const remains = (freeGib: number) =>
      questions("disk_threshold", held, info(freeGib)).canRemain(primaryOf(held, "books"), "n1");
    expect(remains(10)).toMatch(/^YES/);
    setCluster(held, bytes);
    expect(remains(20)).toMatch(/^YES/);
    expect(remains(19)).toBe(
      `NO the shard cannot remain on this node because it is above the high watermark cluster setting [${ALLOCATION}.disk.watermark.high=20gb] and there is less than the required [20gb] free space on node, actual free: [19gb]`,
    );
  });

  test("counts shards that are on their way to the node", () => {
    const held = world(node("n1"), node("n2"));
    createIndex(held, "books", 1, 0, { "index.routing.allocation.include._name": "n1" });
    createIndex(held, "more", 1, 0, { "index.routing.allocation.include._name": "n2" });
    step(held);
    const { canAllocate, canRemain } = questions("disk_threshold", held, info(20, 25));

    // `books` of 25 GiB arrives on n1, which has 20 GiB.
    expect(canAllocate(primaryOf(held, "more"), "n1")).toBe(
      `NO the node has fewer free bytes remaining than the total size of all incoming shards: free space [${20 * GIB}B], relocating shards [${25 * GIB}B]`,
    );
    expect(canRemain(primaryOf(held, "books"), "n1")).toBe(
      `NO the shard cannot remain on this node because the node has fewer free bytes remaining than the total size of all incoming shards: free space [${20 * GIB}], relocating shards [${25 * GIB}]`,
    );
  });

  test("does not look at disks when it is disabled, has no figures, or there is one data node", () => {
    expect(allocates(1, 0, made({ [`${ALLOCATION}.disk.threshold_enabled`]: "false" }))).toBe(
      "YES the disk threshold decider is disabled",
    );
    const held = made();
    expect(questions("disk_threshold", held).canAllocate(replicaOf(held, "books"), "n1")).toBe(
      "YES the cluster info is unavailable",
    );
    const single = world(node("n1"));
    createIndex(single, "books", 1, 1);
    expect(allocates(1, 0, single)).toBe("YES there is only a single data node present");
  });
});

describe("shards_limit", () => {
  const CLUSTER = `${ALLOCATION}.total_shards_per_node`;
  const INDEX = "index.routing.allocation.total_shards_per_node";

  /** n1 holds two primaries of `books` and one of `more`; `next` is not allocated. */
  function made(cluster: SettingsChange, index: SettingsChange = {}): World {
    const held = world(node("n1"));
    createIndex(held, "books", 2, 0, index);
    createIndex(held, "more", 1, 0);
    settle(held);
    createIndex(held, "next", 1, 1);
    setCluster(held, cluster);
    return held;
  }

  test("is off by default", () => {
    const held = made({});

    expect(questions("shards_limit", held).canAllocate(primaryOf(held, "next"), "n1")).toBe(
      "YES total shard limits are disabled: [index: -1, index primary: -1, cluster: -1, cluster primary: -1] <= 0",
    );
  });

  test("limits all copies of a node: one more is refused at the limit, and none leaves", () => {
    const held = made({ [CLUSTER]: "3" });
    const { canAllocate, canRemain } = questions("shards_limit", held);

    expect(canAllocate(primaryOf(held, "next"), "n1")).toBe(
      `NO too many shards [3] allocated to this node, cluster setting [${CLUSTER}=3]`,
    );
    expect(canRemain(primaryOf(held, "books"), "n1")).toMatch(/^YES/);
    const lower = made({ [CLUSTER]: "2" });
    expect(questions("shards_limit", lower).canRemain(primaryOf(lower, "books"), "n1")).toMatch(
      /^NO too many shards \[3\]/,
    );
  });

  test("limits the copies of one index, and lets others in", () => {
    const held = made({}, { [INDEX]: "2" });
    const { canAllocate } = questions("shards_limit", held);

    expect(canAllocate(primaryOf(held, "books"), "n1")).toBe(
      `NO too many shards [2] allocated to this node for index [books], index setting [${INDEX}=2]`,
    );
    expect(canAllocate(primaryOf(held, "next"), "n1")).toMatch(/^YES/);
  });
});

describe("awareness", () => {
  const KEY = `${ALLOCATION}.awareness.attributes`;
  const zoned = (name: string, zone: string) => node(name, { attributes: { zone } });
  const nodes = [zoned("a1", "a"), zoned("a2", "a"), zoned("b1", "b")];

  test("is off without attributes", () => {
    const made = settled(nodes, 0);

    expect(questions("awareness", made).canAllocate(primaryOf(made, "books"), "a1")).toBe(
      `YES allocation awareness is not enabled, set cluster setting [${KEY}] to enable it`,
    );
  });

  test("places no more copies in a zone than its equal share, rounded up", () => {
    const made = settled(nodes, 0, { "index.routing.allocation.include._name": "a1" });
    setCluster(made, { [KEY]: "zone" });
    createIndexReplica(made);
    const { canAllocate } = questions("awareness", made);

    // Two copies over two zones: one in each.
    expect(canAllocate(replicaOf(made, "books"), "a2")).toBe(
      "NO there are too many copies of the shard allocated to nodes with attribute [zone], there are [2] total configured shard copies for this shard id and [2] total attribute values, expected the allocated shard count per attribute [2] to be less than or equal to the upper bound of the required number of shards per attribute [1]",
    );
    expect(canAllocate(replicaOf(made, "books"), "b1")).toBe(
      "YES node meets all awareness attribute requirements",
    );
    // A move within the zone changes nothing.
    expect(canAllocate(primaryOf(made, "books"), "a2")).toMatch(/^YES/);
  });

  test("refuses a move into a zone that has its share", () => {
    const four = [...nodes, zoned("b2", "b")];
    const made = settled(four, 1, { "index.routing.allocation.include._name": "a1,b1" });
    setCluster(made, { [KEY]: "zone" });
    const inA = [primaryOf(made, "books"), replicaOf(made, "books")].find(
      (copy) => nodeNameOf(made, copy) === "a1",
    );
    if (inA === undefined) throw new Error("no copy in zone a");
    const { canAllocate } = questions("awareness", made);

    expect(canAllocate(inA, "b2")).toMatch(/^NO .* allocated shard count per attribute \[2\]/);
    expect(canAllocate(inA, "a2")).toMatch(/^YES/);
  });

  test("counts forced values of which no node is there", () => {
    const made = settled([zoned("a1", "a"), zoned("a2", "a")], 0);
    setCluster(made, { [KEY]: "zone" });
    createIndexReplica(made);
    const free = nodeNameOf(made, primaryOf(made, "books")) === "a1" ? "a2" : "a1";
    expect(questions("awareness", made).canAllocate(replicaOf(made, "books"), free)).toMatch(
      /^YES/,
    );

    setCluster(made, { [`${ALLOCATION}.awareness.force.zone.values`]: "a,b" });

    expect(questions("awareness", made).canAllocate(replicaOf(made, "books"), free)).toMatch(
      /^NO there are too many copies of the shard/,
    );
  });

  test("refuses a node without the attribute", () => {
    const made = settled([...nodes, node("n4")], 0);
    setCluster(made, { [KEY]: "zone" });

    expect(questions("awareness", made).canAllocate(primaryOf(made, "books"), "n4")).toBe(
      `NO node does not contain the awareness attribute [zone]; required attributes cluster setting [${KEY}=zone]`,
    );
  });

  test("moves a copy away from a zone that has too many", () => {
    const made = settled(nodes, 1, { "index.routing.allocation.include._name": "a1,a2" });
    setCluster(made, { [KEY]: "zone" });

    expect(questions("awareness", made).canRemain(primaryOf(made, "books"), "a1")).toMatch(
      /^NO there are too many copies of the shard/,
    );
  });

  test("is ignored by an index that expands to all nodes", () => {
    const made = settled(nodes, 0, { "index.auto_expand_replicas": "0-all" });
    setCluster(made, { [KEY]: "zone" });

    expect(questions("awareness", made).canAllocate(primaryOf(made, "books"), "a2")).toBe(
      "YES allocation awareness is ignored, this index is set to auto-expand to all",
    );
  });
});

/** Gives `books` a replica, which is not allocated yet. */
function createIndexReplica(made: World): void {
  const state = made.state;
  const metadata = state.metadata.indices.get("books");
  const row = state.routingTable.get("books");
  if (metadata === undefined || row === undefined) throw new Error("no index");
  const shards = row.shards.map((held) => [...held, waitingReplica(made)]);
  made.state = {
    ...state,
    metadata: {
      ...state.metadata,
      indices: new Map(state.metadata.indices).set("books", { ...metadata, numberOfReplicas: 1 }),
    },
    routingTable: new Map(state.routingTable).set("books", { ...row, shards }),
  };
}

describe("load_awareness", () => {
  const PREFIX = `${ALLOCATION}.load_awareness`;

  /** n1 holds four primaries of `books`, which has four shards; `next` of one shard is not allocated. */
  function made(cluster: SettingsChange): World {
    const held = world(node("n1"));
    createIndex(held, "books", 4, 0);
    settle(held);
    createIndex(held, "next", 1, 0);
    setCluster(held, cluster);
    return held;
  }

  test("is off without a capacity", () => {
    const held = made({});

    expect(questions("load_awareness", held).canAllocate(primaryOf(held, "next"), "n1")).toBe(
      `YES overload awareness allocation is not enabled, set cluster setting [${PREFIX}.skew_factor] and cluster setting [${PREFIX}.provisioned_capacity] to enable it`,
    );
  });

  test("limits a node to the average over the provisioned nodes, times the factor, and the flat skew", () => {
    // Five copies over five provisioned nodes: 1, times 1.5, and 2: 3.5, rounded up.
    const held = made({
      [`${PREFIX}.provisioned_capacity`]: "5",
      [`${PREFIX}.allow_unassigned_primaries`]: "false",
    });
    const { canAllocate, canRemain } = questions("load_awareness", held);

    expect(canAllocate(primaryOf(held, "next"), "n1")).toBe(
      "NO too many shards [4] allocated to this node, limit per node [4] considering overload factor [50.00] and flat skew [2] based on capacity [5]",
    );
    expect(canRemain(primaryOf(held, "books"), "n1")).toBe(
      "YES node meets all skew awareness attribute requirements",
    );
  });

  test("moves copies away above the limit", () => {
    // 5 / 10, times 1.5, and 2: 2.75, rounded up to 3.
    const held = made({ [`${PREFIX}.provisioned_capacity`]: "10" });

    expect(questions("load_awareness", held).canRemain(primaryOf(held, "books"), "n1")).toMatch(
      /^NO too many shards \[4\] allocated to this node, limit per node \[3\]/,
    );
  });

  test("lets unassigned primaries pass, unless it is told not to", () => {
    const held = made({ [`${PREFIX}.provisioned_capacity`]: "10" });

    expect(questions("load_awareness", held).canAllocate(primaryOf(held, "next"), "n1")).toBe(
      `YES overload allocation awareness is allowed for unassigned primaries, set cluster setting [${PREFIX}.allow_unassigned_primaries] to disable it`,
    );
  });
});
