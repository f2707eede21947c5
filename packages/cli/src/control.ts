/** `--control PORT`: `GET /stop/N`, `/start/N`, `/kill/N`, answered when it is done. */
import { createServer, type Server } from "node:http";
import { host } from "./cluster-plan.ts";
import type { RunningCluster } from "./running-cluster.ts";
import { UsageError } from "./usage.ts";

const verbs: Readonly<Record<string, (cluster: RunningCluster, number: number) => Promise<void>>> =
  {
    stop: (cluster, number) => cluster.stopNode(number),
    start: (cluster, number) => cluster.startNode(number),
    kill: (cluster, number) => cluster.killNode(number),
  };

export async function serveControl(port: number, cluster: RunningCluster): Promise<Server> {
  const server = createServer((request, response) => {
    const [, verb = "", number = ""] = (request.url ?? "").split("/");
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    const answer = (status: number, body: object): void => {
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(`${JSON.stringify(body)}\n`);
    };
    if (act === undefined || request.method !== "GET" || !/^\d+$/.test(number)) {
      answer(404, {
        error: `expected GET /${Object.keys(verbs).join("|/")} and a node's number, such as /stop/2`,
      });
      return;
    }
    // What is wrong with the number is thrown at once, what goes wrong later rejects: both are answered.
    (async () => act(cluster, Number(number)))().then(
      () => answer(200, { acknowledged: true }),
      (error: unknown) =>
        answer(400, { error: error instanceof Error ? error.message : String(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(new UsageError(`the control port [${port}] is taken`)));
    server.listen(port, host, resolve);
  });
  return server;
}
