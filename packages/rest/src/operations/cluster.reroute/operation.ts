/** `cluster.reroute`: moves, cancels and allocates shard copies by command; with `dry_run` or `explain` shows the result. */
import {
  committedVoters,
  STATE_METRICS,
  stateJson,
  type StateMetric,
} from "../../cluster-state-json.ts";
import type { Printable } from "../../json/printable.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import {
  duration,
  flag,
  list,
  managerTimeout,
  managerTimeoutMs,
  onDemand,
} from "../../parameters.ts";
import { rerouteBody } from "./commands.ts";

export const clusterReroute: Operation = defineOperation({
  group: "cluster.reroute",
  permission: "cluster:admin/reroute",
  routes: ["POST /_cluster/reroute"],
  query: {
    ...managerTimeout,
    timeout: duration("30s"),
    dry_run: flag(false),
    explain: flag(false),
    retry_failed: flag(false),
    metric: list(STATE_METRICS.filter((metric) => metric !== "metadata")),
    flat_settings: onDemand(flag(false)),
  },
  body: rerouteBody,
  deviations: [
    {
      kind: "behaviour",
      name: "commands",
      reason:
        "more than 1,000 commands in one request are rejected with 400; the product executes them",
    },
    {
      kind: "parameter",
      name: "flat_settings",
      reason: "not in the description; the product applies it to the state that it returns",
    },
  ],

  async handle({ query, body }, cluster) {
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const answer = await cluster.reroute({
      commands: body.commands,
      dryRun: body.dryRun ?? query.dry_run,
      explain: query.explain,
      retryFailed: query.retry_failed,
      managerTimeoutMs: managerTimeoutMs(query),
      ackTimeoutMs: query.timeout,
    });
    const names = query.metric.includes("_all") ? STATE_METRICS : query.metric;
    const metrics = new Set(names as readonly StateMetric[]);
    return {
      body: {
        acknowledged: answer.acknowledged,
        state: stateJson(answer.state, {
          metrics,
          indices: undefined,
          isFlat: query.flat_settings,
          committedVoters: committedVoters(cluster),
        }),
        explanations: query.explain ? ((answer.explanations ?? []) as Printable) : undefined,
      },
    };
  },
});
