/** Rules of placement, each broken once, with a node that could take the copy and without one. */
import { expect, test } from "vitest";
import { misplaced, type Placement } from "../src/checkers/placement-rules.ts";
import type { ShardView } from "../src/world.ts";

const copy = (shard: number, node: string, isPrimary = false): ShardView => ({
  ...{ index: "books", shard, isPrimary, state: "STARTED", node, movesTo: undefined },
  ...{ isNew: false, allocationId: `${shard}-${node}` },
});

interface Case {
  readonly nodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly copies: readonly ShardView[];
  readonly cluster?: Readonly<Record<string, string>>;
  readonly index?: Readonly<Record<string, string>>;
}

const judge = ({ nodes, copies, cluster = {}, index = {} }: Case): string | undefined => {
  const placement: Placement = {
    nodes: Object.entries(nodes).map(([name, attributes]) => ({
      name,
      attributes: new Map(Object.entries(attributes)),
    })),
    shards: copies,
    clusterSettings: new Map(Object.entries(cluster)),
    indexSettings: new Map([["books", new Map(Object.entries(index))]]),
  };
  return misplaced(placement);
};

const zones = { n1: { zone: "a" }, n2: { zone: "a" }, n3: { zone: "b" } };
const AWARENESS = "cluster.routing.allocation.awareness";

test("copies in one zone, while a node of another one is free", () => {
  const cluster = { [`${AWARENESS}.attributes`]: "zone" };
  const both = [copy(0, "n1", true), copy(0, "n2")];

  expect(judge({ nodes: zones, copies: both })).toBeUndefined();
  expect(judge({ nodes: zones, copies: both, cluster })).toBe(
    "a copy of books/0 stays on n1 although 2 copies are where [zone] is [a], and 1 may be, and n3 could take it",
  );
  expect(judge({ nodes: zones, copies: [copy(0, "n1", true), copy(0, "n3")], cluster })).toBe(
    undefined,
  );
  const expanding = { "index.auto_expand_replicas": "0-all" };
  expect(judge({ nodes: zones, copies: both, cluster, index: expanding })).toBeUndefined();
});

test("a second attribute counts as the first does, and forced values as those that are there", () => {
  const nodes = {
    n1: { zone: "a", rack: "r1" },
    n2: { zone: "b", rack: "r1" },
    n3: { zone: "b", rack: "r2" },
  };
  const copies = [copy(0, "n1", true), copy(0, "n2")];
  const attributes = { [`${AWARENESS}.attributes`]: "zone, rack" };
  const forced = { [`${AWARENESS}.attributes`]: "zone", [`${AWARENESS}.force.zone.values`]: "a,b" };

  expect(judge({ nodes, copies, cluster: attributes })).toContain("[rack] is [r1]");
  const alone = { n1: { zone: "a" }, n2: { zone: "a" } };
  // No node could take it.
  expect(judge({ nodes: alone, copies, cluster: forced })).toBeUndefined();
});

test("filters of the cluster and of an index", () => {
  const copies = [copy(0, "n1", true)];
  const ofIndex = (filter: string, value: string) =>
    judge({ nodes: zones, copies, index: { [`index.routing.allocation.${filter}`]: value } });
  const ofCluster = (filter: string, value: string) =>
    judge({ nodes: zones, copies, cluster: { [`cluster.routing.allocation.${filter}`]: value } });

  expect(ofIndex("exclude._name", "n2,n1*")).toBe(
    "a copy of books/0 stays on n1 although [index.routing.allocation.exclude._name] is [n2,n1*], and n3 could take it",
  );
  expect(ofCluster("require.zone", "b")).toContain(
    "[cluster.routing.allocation.require.zone] is [b]",
  );
  expect(ofIndex("include.zone", "b,c")).toContain("no [include] filter names it, and n3");
  // No node could take it, or the filter is not judged.
  expect(ofCluster("include.zone", "c")).toBeUndefined();
  expect(ofCluster("exclude._ip", "127.0.0.1")).toBeUndefined();
});

test("limits of copies on a node", () => {
  const copies = [copy(0, "n1", true), copy(1, "n1", true), copy(2, "n2", true)];
  const limit = "routing.allocation.total_shards_per_node";

  expect(judge({ nodes: zones, copies, index: { [`index.${limit}`]: "1" } })).toBe(
    `a copy of books/0 stays on n1 although [index.${limit}] is [1], and n3 could take it`,
  );
  expect(judge({ nodes: zones, copies, cluster: { [`cluster.${limit}`]: "1" } })).toContain("n3");
  expect(judge({ nodes: zones, copies, cluster: { [`cluster.${limit}`]: "2" } })).toBeUndefined();
  expect(judge({ nodes: zones, copies, cluster: { [`cluster.${limit}`]: "-1" } })).toBeUndefined();
});
