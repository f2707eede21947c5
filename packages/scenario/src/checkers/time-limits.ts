/**
 * Time limit of a request: the longest time that a node may take to answer it, as the sum of the consecutive waits of
 * the request. Each wait is a parameter of the request, or a constant or setting of the code named beside it.
 */
import { greatest, lookup, parseDuration } from "@orrery/stdx";
import type { Plan } from "../plan.ts";

/** Time limit of a request. */
export interface TimeLimit {
  readonly ms: number;
  /** Transport actions whose response has no time-out: the request waits for it as long as the connection stands. */
  readonly awaits: readonly string[];
}

/** Default of `cluster_manager_timeout`, for finding an elected cluster manager (`parameters.ts` of `rest`). */
const MANAGER_MS = 30_000;
/** Default of `timeout` of a change: for all nodes to apply it, for this node to apply it, for active shards. */
const CHANGE_MS = 30_000;
/**
 * Default of `timeout` of a write, and time-out of refresh, flush and close, for finding an active primary
 * (`replicated-broadcast.ts`).
 */
const PRIMARY_MS = 60_000;
/**
 * Time for the copies of a primary: it retries a message for one minute, and its last attempt has 20 s
 * (`replicate.ts`).
 */
const COPIES_MS = 60_000 + 20_000;
/** Time for a mapping update by a write (`mapping-update.ts`). */
const MAPPING_MS = 30_000;
/** Time for requests to nodes (`facts.ts`, `shard-stores.ts`, and the plugin for cross-cluster replication). */
const NODE_MS = 30_000;
/** Time for nodes of a decommissioned zone to lose their votes, and to leave (`decommission.ts`). */
const DECOMMISSION_MS = 2 * 120_000;

const DURATIONS = {
  "cluster.fault_detection.follower_check.interval": 1000,
  "cluster.fault_detection.follower_check.timeout": 10_000,
  "cluster.publish.timeout": 30_000,
} as const;
const RETRIES = "cluster.fault_detection.follower_check.retry_count";

/**
 * Time after which an unresponsive node is removed: fault detection runs `retry_count` checks of an interval and a
 * time-out each, then the state without the node is published. Every node that applies it closes its connection to the
 * removed node (`links.ts`), which rejects the pending requests.
 */
export function removalMs({ clusters }: Plan): number {
  const given = (name: string): readonly string[] =>
    clusters.flatMap(({ settings, nodes }) =>
      [settings, ...nodes.map((node) => node.settings)].flatMap((one) => lookup(one, name) ?? []),
    );
  const longest = (name: keyof typeof DURATIONS): number =>
    greatest([DURATIONS[name], ...given(name).map((text) => parseDuration(text) ?? 0)]);
  const checkMs =
    longest("cluster.fault_detection.follower_check.interval") +
    longest("cluster.fault_detection.follower_check.timeout");
  return (
    greatest([3, ...given(RETRIES).map(Number)]) * checkMs + longest("cluster.publish.timeout")
  );
}

interface Request {
  readonly isRead: boolean;
  readonly path: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface Row {
  readonly fits: (request: Request) => boolean;
  /** Limit in milliseconds; `undefined`: unlimited. */
  readonly ms: (request: Request, removedAfterMs: number) => number | undefined;
  readonly awaits: readonly string[];
}

const document = /^(?:\/[^_/][^/]*)?\/_(?:doc|create|update|bulk)(?:\/|$)/;
const search = /(?:^|\/)_(?:search|msearch|count|doc|source|mget)(?:\/|$)/;

/** Rows in order; the first that matches counts. */
const rows: readonly Row[] = [
  {
    fits: ({ isRead, path }) => !isRead && document.test(path),
    // Consecutive waits: for a block to be lifted, its index to be created, a primary, and active copies; `timeout`
    // applies to each.
    ms: (request, removedAfterMs) =>
      // `wait_for` may wait for ever: an index may have no refresh interval.
      request.parameters.get("refresh") === "wait_for"
        ? undefined
        : 4 * durationOf(request, "timeout", PRIMARY_MS) + MAPPING_MS + COPIES_MS + removedAfterMs,
    awaits: ["indices:data/write/"],
  },
  {
    fits: ({ path }) => search.test(path),
    // Cancelled requests are answered at once (`run.ts`).
    ms: (request, removedAfterMs) =>
      Math.min(removedAfterMs, durationOf(request, "cancel_after_time_interval", -1) || Infinity),
    awaits: ["indices:data/read/", "indices:monitor/point_in_time"],
  },
  {
    fits: ({ path }) => /\/_(?:refresh|flush)$/.test(path),
    ms: (_request, removedAfterMs) => PRIMARY_MS + COPIES_MS + removedAfterMs,
    awaits: ["indices:admin/"],
  },
  {
    fits: ({ path }) => /\/_(?:forcemerge|cache\/clear)$/.test(path),
    ms: (_request, removedAfterMs) => removedAfterMs,
    awaits: ["indices:admin/"],
  },
  {
    fits: ({ path }) => path.endsWith("/_close"),
    // Reading the state, a block, two checks of every shard, the change.
    ms: (request, removedAfterMs) =>
      3 * changeMs(request) + 2 * (PRIMARY_MS + COPIES_MS + removedAfterMs),
    awaits: ["indices:admin/"],
  },
  {
    // Snapshots and restores take as long as their files need, and later ones wait for them.
    fits: ({ isRead, path }) => !isRead && /^\/_snapshot\/[^/]+\/./.test(path),
    ms: () => undefined,
    awaits: [],
  },
  {
    fits: ({ isRead, path }) => !isRead && path.startsWith("/_cluster/decommission/"),
    ms: (request) => managerMs(request) + DECOMMISSION_MS,
    awaits: [],
  },
  {
    fits: ({ isRead }) => isRead,
    // Reading the manager's state, the condition of the request, pending tasks or shards, nodes.
    ms: (request, removedAfterMs) =>
      3 * managerMs(request) +
      durationOf(request, "timeout", CHANGE_MS) +
      durationOf(request, "wait_for_timeout", PRIMARY_MS) +
      NODE_MS +
      removedAfterMs,
    awaits: ["indices:monitor/", "indices:data/read/"],
  },
  {
    fits: () => true,
    // Reading the state, the change; a rollover makes two. Cross-cluster replication asks the other cluster first.
    ms: (request) => 3 * changeMs(request) + 2 * NODE_MS,
    awaits: [],
  },
];

function managerMs(request: Request): number {
  const named = request.parameters.has("master_timeout") ? "master_timeout" : undefined;
  return durationOf(request, named ?? "cluster_manager_timeout", MANAGER_MS);
}

/** Limit of a change: to find a cluster manager, then for all nodes, this node, and active shards. */
function changeMs(request: Request): number {
  return managerMs(request) + 3 * durationOf(request, "timeout", CHANGE_MS);
}

/** Duration of a parameter; negative: no time-out. */
function durationOf({ parameters }: Request, name: string, defaultMs: number): number {
  const ms = parseDuration(parameters.get(name) ?? "") ?? defaultMs;
  return ms < 0 ? Infinity : ms;
}

/** Limit of a request. `operation`: `METHOD /path`. `undefined`: unlimited. */
export function timeLimitOf(operation: string, removedAfterMs: number): TimeLimit | undefined {
  const request = requestOf(operation);
  const row = rows.find(({ fits }) => fits(request));
  const ms = row?.ms(request, removedAfterMs);
  if (row === undefined || ms === undefined || ms === Infinity) return undefined;
  return { ms, awaits: row.awaits };
}

function requestOf(operation: string): Request {
  const [method = "", uri = ""] = operation.split(" ");
  const [path = "", query = ""] = uri.split("?");
  const parameters = query.split("&").map((one): [string, string] => {
    const [name = "", value = ""] = one.split("=");
    return [name, value];
  });
  return { isRead: method === "GET" || method === "HEAD", path, parameters: new Map(parameters) };
}
