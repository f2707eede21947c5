/** The clusters that clients are judged on: one of this checkout, or a given server. */
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newerNode, root } from "../prepare.mjs";
import { startChild } from "./children.mjs";
import { emptyServer } from "../empty-server.mjs";

/** Three processes over gRPC, started for one client; `repo` is a folder for its snapshots. */
export async function ownCluster(port, repo) {
  const program = join(root, "packages/cli/bin/orrery.mjs");
  const args = ["up", "--nodes", "3", "--transport", "grpc", "--http-port", String(port), "--json"];
  const child = startChild(newerNode(), [program, ...args, "-E", `path.repo=${repo}`]);
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const stop = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, nodes } = JSON.parse(line);
    if (event !== "ready") continue;
    const env = {
      CLUSTER_URLS: nodes.map(({ http }) => http).join(","),
      CLUSTER_PIDS: nodes.map(({ pid }) => pid).join(","),
      CLUSTER_REPO: repo,
    };
    return { env, stop };
  }
  await stop();
  throw new Error(`the cluster did not start: ${said.trim()}`);
}

/** A server that somebody else started: emptied, and left running. */
export async function externalCluster(urls, repo) {
  await emptyServer(urls[0]);
  const env = { CLUSTER_URLS: urls.join(",") };
  if (repo !== undefined) env.CLUSTER_REPO = repo;
  return { env, stop: () => undefined };
}
