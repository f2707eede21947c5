/** Operations on auto-follow rules: `replication.create_replication_rule`, `delete_replication_rule`. */
import { flattenSettings } from "@orrery/cluster-state";
import { acknowledgedParameters, defineOperation, validate, type Operation } from "@orrery/rest";
import { LEADER_PLACEHOLDER } from "../follower/auto-follow.ts";
import { addRule, removeRule } from "../follower/operations.ts";
import { nodeOf } from "../node-of.ts";
import { sectionOf } from "../state/section.ts";
import { fieldsOf, rolesProblem } from "./body.ts";
import { answer, optionsOf } from "./index-operations.ts";

const bodyOf = fieldsOf(
  {
    leader_alias: "text",
    name: "text",
    pattern: "text",
    use_roles: "object",
    settings: "object",
    follower_index_pattern: "text",
  },
  { parser: "AutoFollowRequestParser", missing: "refused" },
);

const timeouts = [
  {
    kind: "parameter",
    name: "timeout, cluster_manager_timeout",
    reason: "read by the product, as for every change of the cluster state; not in the description",
  },
] as const;

const MISSING = "Missing connection or name in the request";

export const createRule: Operation = defineOperation({
  group: "replication.create_replication_rule",
  permission: "cluster:admin/plugins/replication/autofollow/update",
  routes: ["POST /_plugins/_replication/_autofollow"],
  query: acknowledgedParameters,
  body: bodyOf,
  deviations: timeouts,

  async handle({ query, body }, cluster) {
    const { leader_alias: leaderAlias = "", name = "", pattern } = body;
    const { follower_index_pattern: followerPattern } = body;
    validate([
      (leaderAlias === "" || name === "") && MISSING,
      ...(pattern === undefined ? ["Missing pattern"] : patternProblems(pattern)),
      followerPattern !== undefined &&
        !followerPattern.includes(LEADER_PLACEHOLDER) &&
        `follower_index_pattern must contain ${LEADER_PLACEHOLDER}`,
      rolesProblem(body.use_roles),
    ]);
    const rule = {
      name,
      leaderAlias,
      pattern: pattern ?? "",
      settings: flattenSettings(body.settings ?? {}, "index."),
      ...(followerPattern === undefined ? {} : { followerPattern }),
    };
    const { rules } = sectionOf(cluster.state());
    const isKnown = rules.some((one) => one.name === name && one.leaderAlias === leaderAlias);
    return answer(await addRule(nodeOf(cluster), rule, isKnown, optionsOf(query)));
  },
});

export const deleteRule: Operation = defineOperation({
  group: "replication.delete_replication_rule",
  permission: "cluster:admin/plugins/replication/autofollow/update",
  routes: ["DELETE /_plugins/_replication/_autofollow"],
  query: acknowledgedParameters,
  body: bodyOf,
  deviations: timeouts,

  async handle({ query, body }, cluster) {
    const { leader_alias: leaderAlias = "", name = "", pattern } = body;
    validate([
      (leaderAlias === "" || name === "") && MISSING,
      pattern !== undefined && "Unexpected pattern",
    ]);
    return answer(await removeRule(nodeOf(cluster), { name, leaderAlias }, optionsOf(query)));
  },
});

function patternProblems(pattern: string): readonly string[] {
  const problems: string[] = [];
  const forbidden = [" ", '"', "\\", "<", "|", ",", ">", "/", "?", "#", ":"];
  const found = forbidden.find((character) => pattern.includes(character));
  if (found !== undefined) {
    problems.push(
      `Autofollow pattern: ${pattern} must not contain the following characters [${forbidden.join(", ")}]`,
    );
  }
  if (/^[_-]/.test(pattern)) {
    problems.push(`Autofollow pattern: ${pattern} must not start with '_' or '-'`);
  }
  return problems;
}
