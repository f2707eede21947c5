/** Limits of search contexts (`SearchService`): how many of a kind may be open, and their longest keep-alive. */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import { formatDuration, illegalArgument, OperationError, type Problem } from "@orrery/stdx";

/** Kinds of search contexts. A `search` context lives from the query phase to the fetch phase of one request. */
export type ContextKind = "search" | "scroll" | "point-in-time";

/** The setting of a limit, its default, and the kind's name in the problem. */
interface Limit {
  readonly setting: "search.max_open_scroll_context" | "search.max_open_pit_context";
  readonly otherwise: number;
  readonly called: string;
}

const LIMITS: Readonly<Record<ContextKind, Limit | undefined>> = {
  search: undefined,
  scroll: { setting: "search.max_open_scroll_context", otherwise: 500, called: "scroll" },
  "point-in-time": {
    setting: "search.max_open_pit_context",
    otherwise: 300,
    called: "Point In Time",
  },
};

/**
 * Checks that one more context of this kind may be opened; `open` are the contexts of this worker. Kind `search` has no
 * limit.
 * @throws OperationError `rejected_execution_exception` (429): the worker has as many as the setting allows.
 */
export function checkOpen(
  state: ClusterState | undefined,
  kind: ContextKind,
  open: Iterable<{ readonly kind: ContextKind }>,
): void {
  const limit = LIMITS[kind];
  if (limit === undefined) return;
  const max = state === undefined ? limit.otherwise : clusterSetting(state, limit.setting);
  let count = 0;
  for (const context of open) if (context.kind === kind) count += 1;
  if (count < max) return;
  const reason =
    `Trying to create too many ${limit.called} contexts. Must be less than or equal to: [${max}].` +
    ` This limit can be set by changing the [${limit.setting}] setting.`;
  throw new OperationError({ type: "rejected_execution_exception", reason, status: 429 });
}

const DAY_MS = 86_400_000;

/**
 * Checks that a keep-alive is at most the one that the cluster settings allow.
 * @throws OperationError `illegal_argument_exception`
 */
export function checkKeepAlive(
  state: ClusterState | undefined,
  kind: ContextKind,
  keepAliveMs: number,
): void {
  const setting =
    kind === "point-in-time" ? "point_in_time.max_keep_alive" : "search.max_keep_alive";
  const maxMs = state === undefined ? DAY_MS : clusterSetting(state, setting);
  if (keepAliveMs <= maxMs) return;
  throw illegalArgument(
    `Keep alive for request (${formatDuration(keepAliveMs)}) is too large. It must be less than (${formatDuration(maxMs)}). This limit can be set by changing the [${setting}] cluster level setting.`,
  );
}

/**
 * The problem of a request for a context that is not open (`SearchContextMissingException`). Of the id, the reason
 * shows the number without the session.
 */
export function missingContext(id: string): Problem {
  const number = id.slice(id.indexOf(":") + 1);
  return {
    type: "search_context_missing_exception",
    reason: `No search context found for id [${number}]`,
    status: 404,
  };
}
