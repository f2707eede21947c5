/** What a read-only cluster, and an index whose metadata is closed to all, refuse; what waits for an elected cluster manager. */
import {
  initialState,
  noClusterManagerBlock,
  type ClusterBlock,
  type ClusterState,
} from "@orrery/cluster-state";
import { describe, expect, test } from "vitest";
import { fakeCluster, send } from "./fake-cluster.ts";

const readOnly: ClusterBlock = {
  id: 6,
  description: "cluster read-only (api)",
  levels: ["write", "metadata_write"],
  status: "FORBIDDEN",
  isRetryable: false,
  disableStatePersistence: false,
  allowsReleasingResources: false,
};

function stateWith(block: ClusterBlock): ClusterState {
  const state = initialState("fake");
  return { ...state, blocks: { ...state.blocks, global: [block] } };
}

describe("a read-only cluster refuses", () => {
  const { cluster, asked } = fakeCluster({}, { state: stateWith(readOnly) });

  test.each([
    ["PUT /i"],
    ["PUT /_index_template/t", '{"index_patterns":["x*"]}'],
    ["DELETE /_index_template/t"],
    ["PUT /_component_template/t", '{"template":{}}'],
    ["DELETE /_component_template/t"],
    ["PUT /_template/t", '{"index_patterns":["x*"]}'],
    ["DELETE /_template/t"],
    ["PUT /_data_stream/d"],
    ["POST /_cluster/reroute"],
    ["POST /_cluster/voting_config_exclusions?node_names=n"],
    ["DELETE /_cluster/voting_config_exclusions?wait_for_removal=false"],
    ["PUT /_cluster/routing/awareness/zone/weights", '{"weights":{"a":"1"},"_version":-1}'],
    ["DELETE /_cluster/routing/awareness/weights", '{"_version":1}'],
    ["PUT /_cluster/decommission/awareness/zone/a"],
    ["DELETE /_cluster/decommission/awareness"],
    ["PUT /_snapshot/r", '{"type":"fs","settings":{"location":"x"}}'],
    ["DELETE /_snapshot/r"],
  ])("%s", async (request, body?: string) => {
    const before = asked.length;

    const { status, text } = await send(cluster, request, body === undefined ? {} : { body });

    expect([status, text]).toEqual([
      403,
      expect.stringContaining("blocked by: [FORBIDDEN/6/cluster read-only (api)];"),
    ]);
    expect(asked.slice(before)).toEqual([]);
  });
});

describe("while no cluster manager is elected, one is waited for by", () => {
  const state = stateWith(noClusterManagerBlock("metadata_write"));
  const done = { acknowledged: true };
  const answers = {
    submit: done,
    decommission: undefined,
    manage: { ...done, body: {} },
    reroute: { ...done, state, explanations: [] },
    stateWhen: { state, timedOut: false },
  };
  const { cluster, asked } = fakeCluster(answers, { state });

  test.each([
    ["PUT /_index_template/t", "submit", '{"index_patterns":["x*"]}'],
    ["DELETE /_index_template/t", "submit"],
    ["PUT /_component_template/t", "submit", '{"template":{}}'],
    ["DELETE /_component_template/t", "submit"],
    ["PUT /_template/t", "submit", '{"index_patterns":["x*"]}'],
    ["DELETE /_template/t", "submit"],
    ["POST /_cluster/reroute", "reroute"],
    ["POST /_cluster/voting_config_exclusions?node_names=n", "submit"],
    ["DELETE /_cluster/voting_config_exclusions?wait_for_removal=false", "submit"],
    [
      "PUT /_cluster/routing/awareness/zone/weights",
      "submit",
      '{"weights":{"a":"1"},"_version":-1}',
    ],
    ["DELETE /_cluster/routing/awareness/weights", "submit", '{"_version":1}'],
    ["PUT /_cluster/decommission/awareness/zone/a", "decommission"],
    ["DELETE /_cluster/decommission/awareness", "submit"],
    ["PUT /_snapshot/r", "manage", '{"type":"fs","settings":{"location":"x"}}'],
    ["DELETE /_snapshot/r", "manage"],
  ])("%s", async (request, method, body?: string) => {
    const before = asked.length;

    const { status } = await send(cluster, request, body === undefined ? {} : { body });

    expect(status).toBe(200);
    expect(asked.slice(before).map((one) => one.method)).toContain(method);
  });
});

describe("where metadata cannot be read", () => {
  const closed: ClusterBlock = { ...readOnly, levels: ["metadata_read"] };
  const { cluster } = fakeCluster({}, { state: stateWith(closed) });

  test.each(["/_all", "/_mapping", "/_settings", "/_alias", "/_cat/aliases"])(
    "GET %s is refused",
    async (uri) => {
      expect((await send(cluster, `GET ${uri}`)).status).toBe(403);
    },
  );
});
