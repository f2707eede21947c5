/**
 * Cluster of processes, or of nodes in one process, for consecutive cases: everything that a case created is removed
 * before the next.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { requestOf } from "../http/fixture.ts";
import { askOf, createLiveWorld, PATIENCE_MS, send, textOf } from "../http/live-world.ts";
import { removeAll } from "../http/renew.ts";
import { startLiveCluster } from "../live-cluster.ts";
import type { SessionOptions } from "../target.ts";
import { withoutBalance } from "./arrangements.ts";
import type { ClusterUnderTest } from "./play.ts";
import { headersOf, type Answer } from "./request.ts";

export interface ProcessCluster extends ClusterUnderTest {
  clear(): Promise<void>;
  stop(): Promise<void>;
}

const SETTLE_MS = 30_000;
const LOOK_EVERY_MS = 20;
/** Time limit of a sequence, below that of a case: its remaining requests are left out. */
const CASE_MS = 80_000;

/** Health request with a short time-out, as some sequences create an index that no node can hold. */
const health = requestOf(
  "GET",
  "/_cluster/health?wait_for_status=yellow&wait_for_events=languid&timeout=1s",
);
const versionHere = requestOf("GET", "/_cluster/state/version?local=true");

export async function openProcesses(options: SessionOptions): Promise<ProcessCluster> {
  const cluster = await startLiveCluster(options, withoutBalance);
  const world = createLiveWorld(cluster);
  const { ports } = world;
  const versions = async (): Promise<readonly (string | undefined)[]> => {
    const answers = await Promise.all(ports.map((port) => askOf(world, port)(versionHere)));
    return answers.map((answer) => /"version":\d+/.exec(answer?.text ?? "")?.[0]);
  };
  const settle = async (): Promise<void> => {
    await askOf(world)(health);
    const untilMs = performance.now() + SETTLE_MS;
    while (new Set(await versions()).size > 1 && performance.now() < untilMs)
      await sleep(LOOK_EVERY_MS);
  };
  let startedMs = 0;
  return {
    nodes: ports.length,
    isOver: () => performance.now() - startedMs > CASE_MS,
    ask: async (node, asked): Promise<Answer> => {
      const { method, uri, body = "" } = asked;
      const request = { method, uri, headers: headersOf(asked), body: [body] };
      const answer = await send(world, ports[node] ?? 0, request, PATIENCE_MS);
      if (typeof answer === "string") return { status: 0, contentType: "", text: answer };
      const contentType = answer.headers["content-type"] ?? "";
      return { status: answer.status, contentType, text: textOf(answer) };
    },
    settle,
    clear: async () => {
      await removeAll(askOf(world));
      await settle();
      startedMs = performance.now();
    },
    stop: () => cluster.stop(),
  };
}
