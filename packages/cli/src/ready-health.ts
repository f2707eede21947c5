/**
 * Health with which `orrery up` calls its cluster ready: green; or, after a time, that of a cluster at rest, which will not
 * become green by itself; or, after a longer time, any. A cluster that is still forming or recovering is not ready before.
 */
import { localUrl } from "./data-folder.ts";
import type { ManagedNode } from "./managed-node.ts";
import type { RunningCluster } from "./running-cluster.ts";

export type Health = "green" | "yellow" | "red";

/** Health of a cluster as one node reports it. */
export interface ReportedHealth {
  readonly health: Health;
  /** False while copies start or move, or wait for a node, and while the cluster manager has tasks. */
  readonly isAtRest: boolean;
}

/** Time after which a cluster at rest is ready. */
export const GREEN_PATIENCE_MS = 10_000;

/** Time after which a cluster is ready whatever it does. */
const REST_PATIENCE_MS = 60_000;

/** Interval of checks whether all nodes serve and the cluster is at rest. */
const CHECK_MS = 200;

interface ReadyOptions {
  readonly patienceMs?: number;
  readonly restPatienceMs?: number;
  readonly ask?: (node: ManagedNode, nodeCount: number) => Promise<ReportedHealth>;
}

/** Resolves with the health of the ready cluster, all of whose nodes serve; rejects if a node cannot start. */
export async function readyHealth(
  { green, members }: Pick<RunningCluster, "green" | "members">,
  {
    patienceMs = GREEN_PATIENCE_MS,
    restPatienceMs = REST_PATIENCE_MS,
    ask = reportedHealth,
  }: ReadyOptions = {},
): Promise<Health> {
  const startedMs = performance.now();
  const ended = new AbortController();
  const isReady = async (): Promise<Health> => {
    await pause(patienceMs, ended.signal);
    for (;;) {
      const nodes = [...members.values()];
      const [first] = nodes;
      if (first !== undefined && nodes.every(({ isServing }) => isServing)) {
        const { health, isAtRest } = await ask(first, nodes.length);
        if (isAtRest || performance.now() - startedMs >= restPatienceMs) return health;
      }
      await pause(CHECK_MS, ended.signal);
    }
  };
  try {
    return await Promise.race([green.then(() => "green" as const), isReady()]);
  } finally {
    ended.abort();
  }
}

/** Pauses for a time; never resolves once the signal is aborted. A pending pause does not keep the process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return;
    const timer = setTimeout(resolve, ms).unref();
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

/** Time for the answer of a node that serves. */
const ANSWER_MS = 5000;

/** Fields of a health response that are 0 in a cluster at rest. */
const UNRESTS = [
  ...["initializing_shards", "relocating_shards", "delayed_unassigned_shards"],
  ...["number_of_pending_tasks", "number_of_in_flight_fetch"],
];

/** The health as the node sees it. A node that does not answer reports red and no rest. */
async function reportedHealth({ plan }: ManagedNode, nodeCount: number): Promise<ReportedHealth> {
  const uri = `${localUrl(plan)}/_cluster/health?local=true&timeout=0s`;
  try {
    const answer = await fetch(uri, { signal: AbortSignal.timeout(ANSWER_MS) });
    const told = new Map(Object.entries((await answer.json()) as object));
    const status: unknown = told.get("status");
    const isWhole =
      told.get("discovered_cluster_manager") === true && told.get("number_of_nodes") === nodeCount;
    return {
      health: status === "green" || status === "yellow" ? status : "red",
      isAtRest: isWhole && UNRESTS.every((name) => told.get(name) === 0),
    };
  } catch {
    // The next check asks again.
    return { health: "red", isAtRest: false };
  }
}
