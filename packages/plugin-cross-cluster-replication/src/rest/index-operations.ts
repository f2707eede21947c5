/** Operations on one follower index: `replication.start`, `stop`, `pause`, `resume`, `status`, `update`. */
import { flattenSettings } from "@orrery/cluster-state";
import {
  acknowledgedParameters,
  defineOperation,
  flag,
  missingBody,
  submitOptions,
  validate,
  type Answer,
  type Operation,
} from "@orrery/rest";
import { isJsonObject, OperationError, type JsonObject } from "@orrery/stdx";
import {
  pause,
  resume,
  start,
  stop,
  updateSettings,
  type Acknowledged,
  type ChangeOptions,
} from "../follower/operations.ts";
import { statusOf } from "../follower/status.ts";
import { nodeOf } from "../node-of.ts";
import { replicationProblem } from "../problems.ts";
import { INITIATED } from "../state/reducers.ts";
import { fieldsOf, nameProblems, rolesProblem } from "./body.ts";

type Query = Parameters<typeof submitOptions>[0];

/** Options of a change from the parameters of its request. */
export function optionsOf(query: Query): ChangeOptions {
  return { submit: submitOptions(query), timeoutMs: query.timeout };
}

/** The response `{"acknowledged": …}`. */
export function answer({ acknowledged }: Acknowledged): Answer {
  return { body: { acknowledged } };
}

const timeouts = [
  {
    kind: "parameter",
    name: "timeout, cluster_manager_timeout",
    reason: "read by the product's handlers, not in the description",
  },
] as const;

const history = {
  kind: "behaviour",
  name: "history of the leader",
  reason:
    "a follower pauses itself if its leader was forced back to a stale copy or lost its newest operations, and resumes only by force; the product does not compare histories, and the follower differs from then on",
} as const;

const index = (path: Readonly<Record<string, string | undefined>>): string => path["index"] ?? "";

const startBody = fieldsOf(
  { leader_alias: "text", leader_index: "text", use_roles: "object", settings: "object" },
  { parser: "FollowIndexRequestParser", missing: "refused" },
);

export const replicationStart: Operation = defineOperation({
  group: "replication.start",
  permission: "indices:admin/plugins/replication/index/start",
  routes: ["PUT /_plugins/_replication/{index}/_start"],
  query: { ...acknowledgedParameters, wait_for_restore: flag(false) },
  body: startBody,
  deviations: timeouts,

  async handle({ path, query, body }, cluster) {
    const { leader_alias: leaderAlias = "", leader_index: leaderIndex = "" } = body;
    const follower = index(path);
    validate([
      (leaderAlias === "" || leaderIndex === "") &&
        "Mandatory params [leader_alias, leader_index] are missing for the request",
      ...(leaderIndex === "" ? [] : nameProblems(leaderIndex)),
      ...nameProblems(follower),
      rolesProblem(body.use_roles),
    ]);
    const settings = flattenSettings(body.settings ?? {}, "index.");
    const waitForRestore = query.wait_for_restore;
    const request = { follower, leaderAlias, leaderIndex, settings, waitForRestore };
    return answer(await start(nodeOf(cluster), request, optionsOf(query)));
  },
});

const stopBody = fieldsOf(
  {},
  { parser: "StopReplicationRequestParser", missing: "refused-or-source" },
);

export const replicationStop: Operation = defineOperation({
  group: "replication.stop",
  permission: "indices:admin/plugins/replication/index/stop",
  routes: ["POST /_plugins/_replication/{index}/_stop"],
  query: acknowledgedParameters,
  body: stopBody,
  deviations: timeouts,
  handle: async ({ path }, cluster) => answer(await stop(nodeOf(cluster), index(path))),
});

const pauseBody = fieldsOf(
  { reason: "text" },
  { parser: "PauseReplicationRequestParser", missing: "empty" },
);

export const replicationPause: Operation = defineOperation({
  group: "replication.pause",
  permission: "indices:admin/plugins/replication/index/pause",
  routes: ["POST /_plugins/_replication/{index}/_pause"],
  query: acknowledgedParameters,
  body: pauseBody,
  deviations: timeouts,

  async handle({ path, query, body }, cluster) {
    const what = { follower: index(path), reason: body.reason ?? INITIATED };
    return answer(await pause(nodeOf(cluster), what, optionsOf(query)));
  },
});

const resumeBody = fieldsOf(
  { force_resume: "flag" },
  { parser: "ResumeReplicationRequestParser", missing: "refused" },
);

export const replicationResume: Operation = defineOperation({
  group: "replication.resume",
  permission: "indices:admin/plugins/replication/index/resume",
  routes: ["POST /_plugins/_replication/{index}/_resume"],
  query: acknowledgedParameters,
  body: resumeBody,
  deviations: [...timeouts, history],

  async handle({ path, query, body }, cluster) {
    const what = { follower: index(path), isForced: body.force_resume === true };
    return answer(await resume(nodeOf(cluster), what, optionsOf(query)));
  },
});

export const replicationStatus: Operation = defineOperation({
  group: "replication.status",
  permission: "indices:admin/plugins/replication/index/status_check",
  routes: ["GET /_plugins/_replication/{index}/_status"],
  query: { verbose: flag(false) },
  deviations: [
    {
      kind: "parameter",
      name: "verbose",
      reason: "read by the product's handler, not in the description",
    },
  ],

  async handle({ path, query }, cluster) {
    try {
      return { body: await statusOf(nodeOf(cluster), index(path), query.verbose) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      throw replicationProblem("failed to fetch replication status", error.problem);
    }
  },
});

export const replicationUpdate: Operation = defineOperation({
  group: "replication.update",
  permission: "indices:admin/plugins/replication/index/update",
  routes: ["PUT /_plugins/_replication/{index}/_update"],
  query: acknowledgedParameters,
  body: (content): JsonObject => {
    if (content === undefined) throw missingBody();
    const object = content.object();
    const inner = object["settings"];
    return isJsonObject(inner) ? inner : object;
  },
  deviations: timeouts,

  async handle({ path, query, body }, cluster) {
    return answer(await updateSettings(nodeOf(cluster), index(path), body, optionsOf(query)));
  },
});
