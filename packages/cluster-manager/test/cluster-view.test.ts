/** A node's view of its cluster, as functions of plain data. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { Peer } from "../src/discovery-step.ts";
import {
  isMember,
  managerIdOf,
  managerNodeOf,
  managerToAsk,
  type ClusterView,
} from "../src/cluster-view.ts";
import { node } from "./nodes.ts";

const self = node("a");
const b = node("b");
const c = node("c");

const byId = (...nodes: readonly DiscoveryNode[]): ClusterView["nodes"] =>
  new Map(nodes.map((one) => [one.id, one]));
const peer = (of: DiscoveryNode, term: number, managerNode: DiscoveryNode): [NodeId, Peer] => [
  of.id,
  { node: of, hasCluster: true, isLogLost: false, clusterUuid: "", term, managerNode },
];
const view = (rest: Partial<ClusterView> = {}): ClusterView => ({
  localNode: self,
  isElected: false,
  followedId: undefined,
  isHalted: false,
  nodes: new Map(),
  connected: byId(b, c),
  peers: new Map(),
  ...rest,
});

describe("the cluster manager", () => {
  test("is this node while it serves a term, whoever Raft follows", () => {
    expect(managerNodeOf(view({ isElected: true, followedId: b.id }))).toBe(self);
  });

  test("is known by its last state when it is not connected", () => {
    const gone = view({ followedId: b.id, connected: new Map(), nodes: byId(b) });

    expect(managerIdOf(gone)).toBe(b.id);
    expect(managerNodeOf(gone)).toBe(b);
  });
});

describe("a node", () => {
  test("is a member when the state has this process, and an elected cluster manager is known", () => {
    expect(isMember(view({ followedId: b.id, nodes: byId(self) }))).toBe(true);
    expect(isMember(view({ nodes: byId(self) }))).toBe(false);
    const earlier = node("a", { ephemeralId: "an earlier process" });
    expect(isMember(view({ followedId: b.id, nodes: byId(earlier) }))).toBe(false);
  });

  test("asks the cluster manager that Raft follows, while it is connected", () => {
    expect(managerToAsk(view({ followedId: b.id }))).toBe(b);
    expect(managerToAsk(view({ followedId: b.id, connected: new Map() }))).toBeUndefined();
  });

  test("asks the one that its peers name in the highest term, of those that it is connected to", () => {
    const peers = new Map([peer(b, 2, b), peer(c, 3, c), peer(node("d"), 4, node("d"))]);

    expect(managerToAsk(view({ peers }))).toBe(c);
  });

  test("asks nobody while it is a member, serves a term, or cannot keep the log", () => {
    const peers = new Map([peer(b, 2, b)]);

    expect(managerToAsk(view({ peers, followedId: b.id, nodes: byId(self) }))).toBeUndefined();
    expect(managerToAsk(view({ peers, isElected: true }))).toBeUndefined();
    expect(managerToAsk(view({ peers, isHalted: true }))).toBeUndefined();
  });
});
