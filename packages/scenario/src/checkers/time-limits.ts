/**
 * The time limit of a request: how long a node may take to answer it, as the sum of what the request may wait for, one wait after the
 * other. Each wait is a parameter of the request, or a constant or setting of the code that is named beside it.
 */
import { greatest, lookup, parseDuration } from "@orrery/stdx";
import type { Plan } from "../plan.ts";

export interface TimeLimit {
  readonly ms: number;
  /** Transport actions whose answers have no time-out: the request waits for them as long as their connection stands. */
  readonly awaits: readonly string[];
}

/** Default of `cluster_manager_timeout`: to find an elected cluster manager (`parameters.ts` of `rest`). */
const MANAGER_MS = 30_000;
/** Default of `timeout` of a change: for all nodes to apply it, for this node to apply it, for active shards. */
const CHANGE_MS = 30_000;
/** Default of `timeout` of a write, and time-out of refresh, flush and close: to find an active primary (`replicated-broadcast.ts`). */
const PRIMARY_MS = 60_000;
/** For the copies of a primary: it repeats a message for one minute, and its last attempt has 20 s (`replicate.ts`). */
const COPIES_MS = 60_000 + 20_000;
/** For a mapping that a write makes (`mapping-update.ts`). */
const MAPPING_MS = 30_000;
/** For requests to nodes (`facts.ts`, `shard-stores.ts`, and the plug-in that replicates between clusters). */
const NODE_MS = 30_000;
/** For nodes of a decommissioned zone to lose their votes, and to leave (`decommission.ts`). */
const DECOMMISSION_MS = 2 * 120_000;

const DURATIONS = {
  "cluster.fault_detection.follower_check.interval": 1000,
  "cluster.fault_detection.follower_check.timeout": 10_000,
  "cluster.publish.timeout": 30_000,
} as const;
const RETRIES = "cluster.fault_detection.follower_check.retry_count";

/**
 * The time after which a node that does not answer is removed: fault detection takes `retry_count` checks of an interval and a time-out
 * each, then the state without the node is published. Every node that applies it closes its connection to the removed one (`links.ts`),
 * which rejects the requests that wait there.
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
  /** `undefined`: it may wait as long as it likes. */
  readonly ms: (request: Request, removedAfterMs: number) => number | undefined;
  readonly awaits: readonly string[];
}

const document = /^(?:\/[^_/][^/]*)?\/_(?:doc|create|update|bulk)(?:\/|$)/;
const search = /(?:^|\/)_(?:search|msearch|count|doc|source|mget)(?:\/|$)/;

/** The first row that fits counts. */
const rows: readonly Row[] = [
  {
    fits: ({ isRead, path }) => !isRead && document.test(path),
    // It waits for a block to go, its index to be made, a primary, and active copies; its time-out is of each of these.
    ms: (request, removedAfterMs) =>
      // The next refresh may never come: an index may have no interval.
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
    // The read of the state, a block, two checks of every shard, the change.
    ms: (request, removedAfterMs) =>
      3 * changeMs(request) + 2 * (PRIMARY_MS + COPIES_MS + removedAfterMs),
    awaits: ["indices:admin/"],
  },
  {
    // Snapshots and restores take as long as there are files to copy, and those that are asked for later wait for them.
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
    // The state of the manager, what the request waits for in it, pending tasks or shards, nodes.
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
    // The read of the state, the change; a rollover makes two. Replication between clusters asks the other one first.
    ms: (request) => 3 * changeMs(request) + 2 * NODE_MS,
    awaits: [],
  },
];

function managerMs(request: Request): number {
  const named = request.parameters.has("master_timeout") ? "master_timeout" : undefined;
  return durationOf(request, named ?? "cluster_manager_timeout", MANAGER_MS);
}

/** To find a manager; then for all nodes, this node, and active shards. */
function changeMs(request: Request): number {
  return managerMs(request) + 3 * durationOf(request, "timeout", CHANGE_MS);
}

/** Negative: no time-out. */
function durationOf({ parameters }: Request, name: string, defaultMs: number): number {
  const ms = parseDuration(parameters.get(name) ?? "") ?? defaultMs;
  return ms < 0 ? Infinity : ms;
}

/** `operation`: `METHOD /path`. `undefined`: it may wait as long as it likes. */
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
