/** `cluster.state`: the cluster state, whole or by metric and index. */
import { indicesOptions, type ClusterState } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { illegalArgument, OperationError } from "@orrery/stdx";
import {
  committedVoters,
  STATE_METRICS,
  stateJson,
  type StateMetric,
} from "../../cluster-state-json.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import {
  duration,
  flag,
  indexTargets,
  long,
  managerTimeout,
  onDemand,
  splitNames,
} from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";

export const clusterState: Operation = defineOperation({
  group: "cluster.state",
  permission: "cluster:monitor/state",
  routes: [
    "GET /_cluster/state",
    "GET /_cluster/state/{metric}",
    "GET /_cluster/state/{metric}/{index}",
  ],
  query: {
    ...managerTimeout,
    ...indexTargets,
    local: flag(false),
    flat_settings: onDemand(flag(false)),
    wait_for_metadata_version: onDemand(long()),
    wait_for_timeout: duration("1m"),
  },
  deviations: [
    {
      kind: "behaviour",
      name: "wait_for_metadata_version",
      reason:
        "at the end of the waiting time the product fails with a null pointer exception; here the response has `wait_for_timed_out` and no state",
      isLeniency: true,
    },
  ],

  async handle({ path, query }, cluster) {
    const metrics = metricsOf(path["metric"]);
    const wanted = query.wait_for_metadata_version;
    if (wanted !== undefined && wanted < 1) throw versionTooLow(wanted);
    const first = await readState(cluster, query);
    const { state, timedOut } = await whenMetadata(cluster, first, {
      wanted,
      timeoutMs: query.wait_for_timeout,
    });
    const body = {
      wait_for_timed_out: wanted === undefined ? undefined : timedOut,
      cluster_name: state.clusterName,
    };
    if (timedOut) {
      if (cluster.isStrict) throw nullPointer();
      return { body };
    }
    const expressions = expressionsOf(path["index"]);
    const names =
      expressions.length === 0
        ? undefined
        : targetsOf(state, expressions, indicesOptions.lenientExpandOpen, {
            query,
            nowMs: cluster.clock.nowMs(),
          });
    const indices = names === undefined ? undefined : new Set(names.map(({ name }) => name));
    const view = {
      metrics,
      indices,
      isFlat: query.flat_settings,
      committedVoters: committedVoters(cluster),
    };
    return { body: { ...body, ...stateJson(state, view) } };
  },
});

/** Metrics of the request. A name that is no metric selects nothing. */
function metricsOf(given: string | undefined): ReadonlySet<StateMetric> {
  const names = given === undefined ? ["_all"] : splitNames(given);
  if (names.includes("_all")) return new Set(STATE_METRICS);
  return new Set(STATE_METRICS.filter((metric) => names.includes(metric)));
}

async function whenMetadata(
  cluster: Cluster,
  first: ClusterState,
  { wanted, timeoutMs }: { readonly wanted: number | undefined; readonly timeoutMs: number },
): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }> {
  if (wanted === undefined || first.metadata.version >= wanted)
    return { state: first, timedOut: false };
  return cluster.stateWhen((state) => state.metadata.version >= wanted, timeoutMs);
}

function versionTooLow(version: number): OperationError {
  return illegalArgument(
    `provided waitForMetadataVersion should be >= 1, but instead is [${version}]`,
  );
}

function nullPointer(): OperationError {
  const call =
    "org.opensearch.cluster.ClusterState.toXContent(org.opensearch.core.xcontent.XContentBuilder, org.opensearch.core.xcontent.ToXContent$Params)";
  const reason = `Cannot invoke "${call}" because the return value of "org.opensearch.action.admin.cluster.state.ClusterStateResponse.getState()" is null`;
  return new OperationError({
    type: "null_pointer_exception",
    reason,
    status: 500,
    suppressed: [
      {
        type: "illegal_state_exception",
        reason: "Failed to close the XContentBuilder",
        status: 500,
        causedBy: { type: "i_o_exception", reason: "Unclosed object or array found", status: 500 },
      },
    ],
  });
}
