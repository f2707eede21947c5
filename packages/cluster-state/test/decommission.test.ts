/** Weights of zones, and the decommission of one: what is refused in which words, and what each status may follow. */
import { describe, expect, test } from "vitest";
import {
  coreRules,
  applyTask,
  decommissionOf,
  isDecommissioned,
  isWeighedAway,
  joinProblem,
  weightedRoutingOf,
  type ClusterState,
  type DecommissionStatus,
  type DiscoveryNode,
  type Outcome,
  type Task,
} from "../src/index.ts";
import { after, cluster, node, reasonOf } from "./fixture.ts";

const inZone = (name: string, zone: string): DiscoveryNode => node(name, { attributes: { zone } });

function aware(forced = "a,b,c"): ClusterState {
  const state = cluster(inZone("n1", "a"), inZone("n2", "b"), inZone("n3", "c"));
  return after(state, {
    kind: "update-cluster-settings",
    persistent: {
      "cluster.routing.allocation.awareness.attributes": "zone",
      ...(forced === ""
        ? {}
        : { "cluster.routing.allocation.awareness.force.zone.values": forced }),
    },
    transient: {},
  });
}

const weights = (given: Record<string, number>, version = -1): Task => ({
  kind: "put-weighted-routing",
  attribute: "zone",
  weights: given,
  version,
});

const begin = (value: string, requestId = "first", weighsAway = false): Task => ({
  kind: "decommission-zone",
  attribute: "zone",
  value,
  requestId,
  weighsAway,
});

const move = (status: DecommissionStatus, requestId = "first"): Task => ({
  kind: "update-decommission-status",
  requestId,
  status,
});

const prefix = "[DecommissionAttribute{attributeName='zone', attributeValue='c'}] ";
const weighed = after(aware(), weights({ a: 1, b: 1, c: 0 }));
const begun = after(weighed, begin("c"));

describe("put-weighted-routing", () => {
  test("counts the changes of the weights, a deletion included, and is without effect for equal weights", () => {
    const again = applyTask(weighed, weights({ a: 1, b: 1, c: 0 }, 0), coreRules);
    const deleted = after(weighed, { kind: "delete-weighted-routing", version: 0 });
    const back = after(deleted, weights({ a: 2, b: 1, c: 1 }, 1));

    expect(weightedRoutingOf(weighed)?.version).toBe(0);
    expect(again.kind).toBe("unchanged");
    expect(weightedRoutingOf(deleted)).toEqual({ attribute: "", weights: new Map(), version: 1 });
    expect(weightedRoutingOf(back)?.version).toBe(2);
  });

  test("is refused at another version, for another attribute, and when a known value has no weight", () => {
    const refuse = (task: Task): string | null =>
      reasonOf(applyTask(aware("a,b,c,d"), task, coreRules));

    expect(refuse(weights({ a: 1, b: 1, c: 1, d: 1 }, 0))).toBe(
      "requested version is 0 but cluster weighted routing metadata is at a different version -1 ",
    );
    expect(refuse({ ...weights({ a: 1 }), attribute: "rack" } as Task)).toBe(
      "Validation Failed: 1: invalid awareness attribute rack requested for weighted routing;",
    );
    expect(refuse(weights({ a: 1, b: 1, c: 1 }))).toBe(
      "weight for [d] is not set and it is part of forced awareness value or a routing node has this attribute.",
    );
  });

  test("takes the awareness settings of the elected cluster manager where the cluster has none", () => {
    const bare = cluster(inZone("n1", "a"));
    const nodeSettings = { "cluster.routing.allocation.awareness.attributes": "zone" };

    expect(applyTask(bare, weights({ a: 1 }), coreRules).kind).toBe("rejected");
    expect(applyTask(bare, { ...weights({ a: 1 }), nodeSettings } as Task, coreRules).kind).toBe(
      "updated",
    );
  });

  test("leaves the weight of a zone that is being decommissioned at 0", () => {
    expect(reasonOf(applyTask(begun, weights({ a: 1, b: 1, c: 1 }, 0), coreRules))).toBe(
      "weight for [c] must be set to [0.0] as it is under decommission action",
    );
    expect(
      applyTask(after(begun, move("failed")), weights({ a: 1, b: 1, c: 1 }, 0), coreRules).kind,
    ).toBe("updated");
  });
});

describe("delete-weighted-routing", () => {
  test("deletes the weights of the attribute that has them, which need not be named", () => {
    const remove = (attribute?: string): Outcome =>
      applyTask(
        weighed,
        {
          kind: "delete-weighted-routing",
          version: 0,
          ...(attribute === undefined ? {} : { attribute }),
        },
        coreRules,
      );

    expect(remove("rack")).toMatchObject({
      error: {
        reason: "weighted routing metadata does not have weights set for awareness attribute rack",
        status: 404,
      },
    });
    expect(remove("zone").kind).toBe("updated");
    expect(remove().kind).toBe("updated");
  });

  test("is refused without weights, and at another version", () => {
    const remove = (version: number): Outcome =>
      applyTask(aware(), { kind: "delete-weighted-routing", version }, coreRules);

    expect(remove(-1)).toMatchObject({
      kind: "rejected",
      error: { type: "resource_not_found_exception", status: 404 },
    });
    expect(reasonOf(remove(-2))).toBe(
      "requested version is -2 but cluster weighted routing metadata is at a different version -1 ",
    );
  });
});

describe("weights", () => {
  test("say which nodes are weighed away", () => {
    const away = [...weighed.nodes.values()].filter((one) => isWeighedAway(weighed, one));

    expect(away.map(({ name }) => name)).toEqual(["n3"]);
    expect(isWeighedAway(aware(), inZone("n3", "c"))).toBe(false);
  });
});

describe("decommission-zone", () => {
  test("names the zone and keeps its cluster-manager-eligible nodes from voting", () => {
    expect(decommissionOf(begun)).toEqual({
      attribute: "zone",
      value: "c",
      status: "init",
      requestId: "first",
    });
    expect(begun.metadata.coordination.votingConfigExclusions).toEqual([
      { nodeId: "n3-id", nodeName: "n3" },
    ]);
    expect(applyTask(begun, begin("c"), coreRules).kind).toBe("unchanged");
  });

  test("is refused without awareness, forced values, weights, and a weight of 0, in this order", () => {
    const refuse = (state: ClusterState): string | null =>
      reasonOf(applyTask(state, begin("c"), coreRules));

    expect(refuse(cluster(inZone("n3", "c")))).toBe(
      `${prefix}invalid awareness attribute requested for decommissioning`,
    );
    expect(refuse(aware(""))).toBe(
      `${prefix}forced awareness attribute [{}] doesn't have the decommissioning attribute`,
    );
    expect(refuse(aware())).toBe(
      `${prefix}no weights are set to the attribute. Please set appropriate weights before triggering decommission action`,
    );
    expect(refuse(after(aware(), weights({ a: 0, b: 1, c: 1 })))).toBe(
      `${prefix}weight for decommissioned attribute is expected to be [0.0] but found [1.0]`,
    );
    expect(refuse(after(weighed, { kind: "delete-weighted-routing", version: 0 }))).toBe(
      `${prefix}no weights are specified to attribute [zone]`,
    );
  });

  test("is refused when the zone has no cluster-manager-eligible node", () => {
    const data = node("n5", { attributes: { zone: "c" }, roles: ["data"] });
    const state = after(weighed, { kind: "node-join", node: data });
    const others = { ...state, nodes: new Map([...state.nodes].filter(([id]) => id !== "n3-id")) };

    expect(applyTask(others, begin("c"), coreRules)).toMatchObject({
      kind: "rejected",
      error: {
        type: "illegal_argument_exception",
        reason:
          "Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set",
        status: 400,
      },
    });
    expect(applyTask(state, begin("c"), coreRules).kind).toBe("updated");
  });

  test("takes the weight away itself when asked to and nobody has set weights", () => {
    const state = after(aware(), begin("c", "first", true));

    expect(weightedRoutingOf(state)).toEqual({
      attribute: "zone",
      weights: new Map([
        ["a", 1],
        ["b", 1],
        ["c", 0],
      ]),
      version: 0,
    });
    expect(
      reasonOf(
        applyTask(after(aware(), weights({ a: 0, b: 1, c: 1 })), begin("c", "x", true), coreRules),
      ),
    ).toMatch(/found \[1\.0\]$/);
  });

  test("is one at a time", () => {
    const refuse = (state: ClusterState, value: string): string | null =>
      reasonOf(applyTask(state, begin(value, "second"), coreRules));
    const draining = after(begun, move("draining"));
    const done = after(after(begun, move("in_progress")), move("successful"));

    expect(refuse(begun, "c")).toBe(`${prefix}same request is already in status [INIT]`);
    expect(refuse(draining, "b")).toMatch(
      /there's an inflight decommission request for attribute \[DecommissionAttribute\{.*'c'\}\] is in progress, cannot process this request$/,
    );
    expect(refuse(done, "b")).toMatch(
      /one awareness attribute \[.*'c'\}\] already successfully decommissioned, recommission before triggering another decommission$/,
    );
    expect(applyTask(after(begun, move("failed")), begin("c", "second"), coreRules).kind).toBe(
      "updated",
    );
  });

  test("begins anew when the request is repeated after it has failed", () => {
    const again = after(after(begun, move("failed")), begin("c", "first"));

    expect(decommissionOf(again)).toMatchObject({ requestId: "first", status: "init" });
    expect(applyTask(begun, begin("c", "first"), coreRules).kind).toBe("unchanged");
  });
});

describe("update-decommission-status", () => {
  test("INV-DECOMMISSION-2: moves a decommission only along its path; a terminal status ends the voting exclusions", () => {
    const draining = after(begun, move("draining"));
    const done = after(after(draining, move("in_progress")), move("successful"));

    expect(reasonOf(applyTask(draining, move("successful"), coreRules))).toBe(
      "can't move decommission status to [successful]. current status: [draining] (expected [in_progress])",
    );
    expect(reasonOf(applyTask(done, move("draining"), coreRules))).toMatch(
      /current status: \[successful\]/,
    );
    expect(applyTask(draining, move("in_progress", "another"), coreRules).kind).toBe("unchanged");
    expect(draining.metadata.coordination.votingConfigExclusions).toHaveLength(1);
    expect(done.metadata.coordination.votingConfigExclusions).toEqual([]);
    expect(after(begun, move("failed")).metadata.coordination.votingConfigExclusions).toEqual([]);
  });
});

describe("delete-decommission-state", () => {
  test("ends a decommission in any status, with its voting exclusions, and leaves the weights alone", () => {
    const ended = after(after(begun, move("draining")), { kind: "delete-decommission-state" });

    expect(decommissionOf(ended)).toBeUndefined();
    expect(ended.metadata.coordination.votingConfigExclusions).toEqual([]);
    expect(weightedRoutingOf(ended)?.weights.get("c")).toBe(0);
    expect(applyTask(ended, { kind: "delete-decommission-state" }, coreRules).kind).toBe(
      "unchanged",
    );
  });
});

describe("a decommission", () => {
  test("has a new cluster manager keep the zone's nodes as they were, and take none back that was restarted", () => {
    const draining = after(begun, move("draining"));
    const membersWith = (...joined: DiscoveryNode[]): readonly string[] => {
      const state = after(draining, {
        kind: "become-cluster-manager",
        node: inZone("n2", "b"),
        joined,
        clusterUuid: "u",
      });
      return [...state.nodes.values()].map(({ name }) => name);
    };
    const again = { ephemeralId: "again" };

    expect(membersWith(inZone("n3", "c"))).toEqual(["n1", "n2", "n3"]);
    expect(membersWith({ ...inZone("n3", "c"), ...again })).toEqual(["n1", "n2"]);
    expect(membersWith({ ...inZone("n1", "a"), ...again })).toEqual(["n2", "n3", "n1"]);
  });

  test("keeps nodes of the zone out from draining on, unless it fails", () => {
    const comes = inZone("n4", "c");
    const problemAt = (...statuses: DecommissionStatus[]): string | undefined =>
      joinProblem(
        statuses.reduce((state, status) => after(state, move(status)), begun),
        comes,
        undefined,
      )?.type;

    expect(problemAt()).toBeUndefined();
    expect(problemAt("draining")).toBe("node_decommissioned_exception");
    expect(problemAt("in_progress", "successful")).toBe("node_decommissioned_exception");
    expect(problemAt("draining", "failed")).toBeUndefined();
    expect(isDecommissioned(after(begun, move("draining")), inZone("n5", "b"))).toBe(false);
    expect(joinProblem(after(begun, move("draining")), comes, undefined)?.reason).toBe(
      "node [{n4}{n4-id}{n4-ephemeral}{127.0.0.1}{n4:9300}{dimr}{zone=c}] has decommissioned attribute [DecommissionAttribute{attributeName='zone', attributeValue='c'}] with current status of decommissioning [draining]",
    );
  });
});
