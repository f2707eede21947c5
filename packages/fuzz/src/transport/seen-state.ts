/** Cluster state as every node reports it over HTTP, which visitors of the transport must not change. */
import { setTimeout as sleep } from "node:timers/promises";
import { exchange } from "../http/exchange.ts";
import type { LiveCluster, LiveNode } from "../live-cluster.ts";

export interface SeenState {
  readonly version: number;
  readonly stateUuid: string;
  readonly nodeIds: readonly string[];
}

const HANG_MS = 5000;
const RECOVERY_MS = 60_000;
const STILL_MS = 300;

/** State of all nodes; `undefined` if one does not answer in time, or has another state. */
export async function stateOf(cluster: LiveCluster): Promise<SeenState | undefined> {
  const all = await Promise.all(cluster.nodes.map((node) => askState(cluster, node)));
  const [first] = all;
  return all.every((one) => one?.stateUuid === first?.stateUuid) ? first : undefined;
}

/** State when all nodes are in one cluster and it no longer changes. */
export async function settledState(cluster: LiveCluster): Promise<SeenState | undefined> {
  const untilMs = performance.now() + RECOVERY_MS;
  let before: SeenState | undefined;
  for (;;) {
    const seen = await stateOf(cluster);
    const isWhole = seen?.nodeIds.length === cluster.nodes.length;
    if (isWhole && before?.stateUuid === seen.stateUuid) return seen;
    if (performance.now() > untilMs) return undefined;
    before = isWhole ? seen : undefined;
    await sleep(STILL_MS);
  }
}

const request = Buffer.from(
  "GET /_cluster/state/version,nodes,master_node?local=true HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n",
);

async function askState(cluster: LiveCluster, { http }: LiveNode): Promise<SeenState | undefined> {
  const answer = await exchange({
    ...{ port: Number(new URL(http).port), bytes: request, afterwards: "wait", isHead: false },
    timeoutMs: HANG_MS,
    delaySince: (ms) => cluster.delays.since(ms, "all"),
  });
  if (typeof answer === "string" || answer.status !== 200) return undefined;
  const {
    version,
    state_uuid: stateUuid,
    nodes,
  } = JSON.parse(Buffer.from(answer.body).toString()) as {
    readonly version: number;
    readonly state_uuid: string;
    readonly nodes: Readonly<Record<string, { readonly name: string }>>;
  };
  const named = Object.entries(nodes).toSorted(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  return { version, stateUuid, nodeIds: named.map(([id]) => id) };
}
