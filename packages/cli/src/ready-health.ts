/** Health with which `orrery up` calls its cluster ready: green, or after a time whatever it is. */
import { httpUrl } from "./data-folder.ts";
import type { ManagedNode } from "./managed-node.ts";
import type { RunningCluster } from "./running-cluster.ts";

export type Health = "green" | "yellow" | "red";

/** Time after which a cluster that is not green is ready too: a copy cannot be allocated or recovered, or needs longer. */
export const GREEN_PATIENCE_MS = 10_000;

/** Interval of checks whether all nodes serve. */
const CHECK_MS = 200;

interface ReadyOptions {
  readonly patienceMs?: number;
  readonly ask?: (node: ManagedNode) => Promise<Health>;
}

/** Resolves when the cluster is green, or after the time limit as soon as all nodes serve; rejects if a node cannot start. */
export async function readyHealth(
  { green, members }: Pick<RunningCluster, "green" | "members">,
  { patienceMs = GREEN_PATIENCE_MS, ask = healthOf }: ReadyOptions = {},
): Promise<Health> {
  const timer: { current: NodeJS.Timeout | undefined } = { current: undefined };
  const afterPatience = new Promise<Health>((resolve, reject) => {
    const check = (): void => {
      const nodes = [...members.values()];
      const [first] = nodes;
      if (first !== undefined && nodes.every(({ isServing }) => isServing)) {
        ask(first).then(resolve, reject);
      } else {
        timer.current = setTimeout(check, CHECK_MS).unref();
      }
    };
    // A signal may end the command before its cluster is ready.
    timer.current = setTimeout(check, patienceMs).unref();
  });
  try {
    return await Promise.race([green.then(() => "green" as const), afterPatience]);
  } finally {
    clearTimeout(timer.current);
  }
}

/** Time for the answer of a node that serves. */
const ANSWER_MS = 5000;

/** The health as the node sees it; red if it does not know an elected cluster manager, or does not answer. */
async function healthOf({ plan }: ManagedNode): Promise<Health> {
  try {
    const answer = await fetch(`${httpUrl(plan)}/_cluster/health?local=true&timeout=0s`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { status } = (await answer.json()) as { readonly status?: unknown };
    return status === "green" || status === "yellow" ? status : "red";
  } catch {
    return "red";
  }
}
