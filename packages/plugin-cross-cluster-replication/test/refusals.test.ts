/** What is refused, in the product's words, and changes nothing. */
import type { JsonObject } from "@orrery/stdx";
import { beforeAll, expect, test } from "vitest";
import { documents, twoClusters, type TwoClusters } from "./two-clusters.ts";

let clusters: TwoClusters;

beforeAll(async () => {
  clusters = await twoClusters({ seed: 1, leaderNodes: 1, followerNodes: 1 });
  const { leader, follower } = clusters;
  await leader("PUT /books", { settings: { number_of_replicas: 0 } });
  await leader("POST /books/_bulk", documents(0, 5));
  await follower("PUT /there", { settings: { number_of_replicas: 0 } });
  await follower("PUT /_cluster/settings", {
    persistent: { "cluster.remote.self.seeds": ["follower-1"] },
  });
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", {
    leader_alias: "lead",
    leader_index: "books",
  });
});

interface Refusal {
  readonly request: string;
  readonly body?: JsonObject;
  readonly status: number;
  readonly type: string;
  readonly reason: string;
}

const good = { leader_alias: "lead", leader_index: "books" };
const start = (index: string): string => `PUT /_plugins/_replication/${index}/_start`;

const refusals: readonly Refusal[] = [
  {
    request: start("new"),
    body: {},
    status: 400,
    type: "action_request_validation_exception",
    reason:
      "Validation Failed: 1: Mandatory params [leader_alias, leader_index] are missing for the request;",
  },
  {
    request: start("New"),
    body: good,
    status: 400,
    type: "action_request_validation_exception",
    reason: "Validation Failed: 1: Value New must be lowercase;",
  },
  {
    request: start("new"),
    body: { ...good, use_roles: { leader_cluster_role: "all_access" } },
    status: 400,
    type: "action_request_validation_exception",
    reason: "Validation Failed: 1: Need roles for leader_cluster_role and follower_cluster_role;",
  },
  {
    request: start("new"),
    body: { ...good, x: 1 },
    status: 400,
    type: "x_content_parse_exception",
    reason: "[1:47] [FollowIndexRequestParser] unknown field [x]",
  },
  {
    request: start("new"),
    body: { ...good, leader_alias: "nobody" },
    status: 404,
    type: "no_such_remote_cluster_exception",
    reason: "no such remote cluster: [nobody]",
  },
  {
    request: start("new"),
    body: { ...good, leader_index: "missing" },
    status: 404,
    type: "index_not_found_exception",
    reason: "no such index [missing]",
  },
  {
    request: start("there"),
    body: good,
    status: 400,
    type: "illegal_argument_exception",
    reason: "Cant use same index again for replication. Delete the index:there",
  },
  {
    request: start("new"),
    body: { ...good, settings: { "index.number_of_shards": 2 } },
    status: 500,
    type: "snapshot_restore_exception",
    reason:
      "[replication-remote-repo-lead:replication-remote-snapshot/replication-remote-snapshot] cannot modify UnmodifiableOnRestore setting [index.number_of_shards] on restore",
  },
  {
    request: start("new"),
    body: { leader_alias: "self", leader_index: "copy" },
    status: 400,
    type: "illegal_argument_exception",
    reason: "Cannot Replicate a Replicated Index copy",
  },
  {
    request: "POST /_plugins/_replication/there/_stop",
    body: {},
    status: 400,
    type: "illegal_argument_exception",
    reason: "No replication in progress for index:there",
  },
  {
    request: "POST /_plugins/_replication/there/_pause",
    status: 400,
    type: "illegal_argument_exception",
    reason: "No replication in progress for index:there",
  },
  {
    request: "POST /_plugins/_replication/copy/_resume",
    body: {},
    status: 400,
    type: "resource_already_exists_exception",
    reason: "Replication on Index copy is already running",
  },
  {
    request: "POST /_plugins/_replication/copy/_resume",
    body: { force_resume: true },
    status: 400,
    type: "resource_already_exists_exception",
    reason: "Replication on Index copy is already running",
  },
  {
    request: "POST /_plugins/_replication/copy/_resume",
    status: 400,
    type: "parse_exception",
    reason: "request body is required",
  },
  {
    request: "POST /_plugins/_replication/copy/_stop",
    status: 400,
    type: "parse_exception",
    reason: "request body or source parameter is required",
  },
  {
    request: "PUT /_plugins/_replication/there/_update",
    body: { settings: { "index.number_of_replicas": 0 } },
    status: 400,
    type: "illegal_argument_exception",
    reason: "No replication in progress for index:there",
  },
  {
    request: "POST /_plugins/_replication/_autofollow",
    body: { leader_alias: "lead" },
    status: 400,
    type: "action_request_validation_exception",
    reason: "Validation Failed: 1: Missing connection or name in the request;2: Missing pattern;",
  },
  {
    request: "DELETE /_plugins/_replication/_autofollow",
    body: { leader_alias: "lead", name: "a", pattern: "b" },
    status: 400,
    type: "action_request_validation_exception",
    reason: "Validation Failed: 1: Unexpected pattern;",
  },
];

test.each(refusals.map((row) => [row.request, row.reason, row] as const))(
  "%s is refused: %s",
  async (_, __, { request, body, status, type, reason }) => {
    const answer = await clusters.follower(request, body);

    expect([answer.status, answer.body["error"]]).toMatchObject([status, { type, reason }]);
  },
);

test("a paused index is not paused again, and nothing starts while the setting forbids it", async () => {
  const { follower } = clusters;
  await follower("POST /_plugins/_replication/copy/_pause", {});
  await follower("PUT /_cluster/settings", {
    persistent: { "plugins.replication.follower.block.start": true },
  });

  const paused = await follower("POST /_plugins/_replication/copy/_pause", {});
  const blocked = await follower(start("new"), good);
  await follower("PUT /_cluster/settings", {
    persistent: { "plugins.replication.follower.block.start": null },
  });

  expect([paused.status, paused.body["error"]]).toMatchObject([
    400,
    { type: "resource_already_exists_exception", reason: "Index copy is already paused" },
  ]);
  expect([blocked.status, blocked.body["error"]]).toMatchObject([
    403,
    { type: "status_exception", reason: "[FORBIDDEN] Replication START block is set" },
  ]);
});

test("an index nobody follows has no replication in progress, whether it is there or not", async () => {
  const { follower } = clusters;
  const none = { status: 200, body: { status: "REPLICATION NOT IN PROGRESS" } };

  expect(await follower("GET /_plugins/_replication/there/_status")).toEqual(none);
  expect(await follower("GET /_plugins/_replication/missing/_status")).toEqual(none);
});
