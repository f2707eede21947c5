/** `orrery up`: starts a cluster, prints its addresses, and runs it until a signal arrives. */
import { greatest, setKey } from "@orrery/stdx";
import { rmSync } from "node:fs";
import type { Server } from "node:http";
import { host, planNodes, type NodePlan } from "./cluster-plan.ts";
import type { ClusterControl } from "./cluster-control.ts";
import type { TokenFile } from "./control-token.ts";
import { readConfiguration } from "./configuration/configuration.ts";
import { httpUrl, openDataFolder, transportName, type DataFolder } from "./data-folder.ts";
import type { ParsedOptions } from "./options.ts";
import type { ManagedNode, OnDeath } from "./managed-node.ts";
import { GREEN_PATIENCE_MS, readyHealth, type Health } from "./ready-health.ts";
import { showProgress } from "./start-progress.ts";
import { startCluster, type RunningCluster } from "./running-cluster.ts";
import { secretsIn } from "./secrets.ts";
import type { TransportKind } from "./transports.ts";
import { changesOf, planUp, type UpPlan } from "./up-plan.ts";
import { signalled, UsageError } from "./usage.ts";

/** Port and token of the control endpoint. */
interface Control {
  readonly url: string;
  readonly token: string;
  readonly file: TokenFile;
}

export async function up(args: readonly string[]): Promise<number> {
  const configuration = await readConfiguration(args, {
    wait: { type: "boolean" },
    json: { type: "boolean" },
  });
  const options = configuration.line;
  const planned = await planUp(configuration);
  const { cluster: plan, controlPort, data } = planned;
  const { transport } = plan;
  const plans = planNodes(plan);
  const token = controlPort === undefined ? undefined : await chosenToken();
  const owner = plans.find((one) =>
    [one.httpPort, one.transportPort].some((port) => port === controlPort),
  );
  if (controlPort !== undefined && owner !== undefined)
    throw new UsageError(
      `the control port [${controlPort}] is a port of ${owner.name}: give another one`,
    );
  const folder = transport === "memory" && data === undefined ? undefined : openDataFolder(data);
  await checkRestart(planned, options.flag("wait"));
  const deaths = countDeaths(plans.length);
  // A controlled cluster continues without nodes, as they may be started again.
  const isEnded = controlPort === undefined ? Promise.race([signalled(), deaths.all]) : signalled();
  let cluster: RunningCluster | undefined;
  let server: Server | undefined;
  let clusterControl: ClusterControl | undefined;
  let control: Control | undefined;
  try {
    const make = await maker(transport, plans, {
      folder,
      onDeath: deaths.note,
      isControlled: controlPort !== undefined,
      processes: planned.processes,
    });
    cluster = startCluster(make.all(plans));
    // A rejection after the end of this command was reported by the node already.
    cluster.green.catch(() => undefined);
    if (controlPort !== undefined && token !== undefined) {
      const { createClusterControl } = await import("./cluster-control.ts");
      const { createAddedNodes } = await import("./added-nodes.ts");
      const makeAddedNode = createAddedNodes({ plan, folder, make: make.one });
      clusterControl = createClusterControl({ cluster, makeAddedNode });
      const { serveControl } = await import("./control.ts");
      server = await serveControl({ port: controlPort, clusterControl, token });
      const { keepToken } = await import("./control-token.ts");
      const file = keepToken(controlPort, token);
      control = { url: `http://${host}:${controlPort}`, token, file };
    }
    const waiting = tellIfWaiting(plans);
    const progress = options.flag("json") ? () => undefined : showProgress(cluster);
    const health = await Promise.race([readyHealth(cluster), isEnded]).finally(() => {
      waiting();
      progress();
    });
    let outcome: "signal" | "dead" = "signal";
    if (health === "signal" || health === "dead") outcome = health;
    else {
      announce(options, cluster, { control, health });
      if (health !== "green") tellNotGreen(plans, health);
      // A node that cannot join still ends the command.
      outcome = await Promise.race([isEnded, cluster.green.then(() => isEnded)]);
    }
    if (outcome !== "dead") return 0;
    process.stderr.write("orrery: no node is left\n");
    return 1;
  } finally {
    control?.file.remove();
    server?.close();
    server?.closeAllConnections();
    clusterControl?.end();
    await cluster?.stop();
    if (folder?.isTemporary === true) rmSync(folder.path, { recursive: true, force: true });
  }
}

/** Says on standard error that the command still waits, if it does after a time; returns the function that ends this. */
function tellIfWaiting(plans: readonly NodePlan[]): () => void {
  const timer = setTimeout(() => {
    process.stderr.write(
      `orrery: the cluster is not green after ${GREEN_PATIENCE_MS / 1000} s; this command goes on waiting. ${reasonsAt(plans)}\n`,
    );
  }, GREEN_PATIENCE_MS + SLACK_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Time for the answer about a cluster at rest, which is ready without this sentence. */
const SLACK_MS = 1000;

function tellNotGreen(plans: readonly NodePlan[], health: Health): void {
  process.stderr.write(`orrery: the cluster is ${health}. ${reasonsAt(plans)}\n`);
}

function reasonsAt(plans: readonly NodePlan[]): string {
  const [url = ""] = plans.map(httpUrl);
  return `Ask ${url}/_cluster/health and ${url}/_cluster/allocation/explain why`;
}

async function chosenToken(): Promise<string> {
  const { chooseToken } = await import("./control-token.ts");
  return chooseToken();
}

/** Compares a restart with what its data folder holds. Throws `UsageError` if the cluster could elect no cluster manager. */
async function checkRestart(planned: UpPlan, isWaiting: boolean): Promise<void> {
  const { remembered, data, cluster } = planned;
  if (remembered === undefined || data === undefined) return;
  const { quorumProblem, storedVoters } = await import("./missing-voters.ts");
  const voters = storedVoters(data, cluster.nodes);
  const problem = voters === undefined ? undefined : quorumProblem(voters);
  if (problem !== undefined && !isWaiting) throw new UsageError(problem);
  for (const sentence of [...changesOf(planned), ...(problem === undefined ? [] : [problem])])
    process.stderr.write(`orrery: ${sentence}\n`);
}

interface Deaths {
  readonly note: OnDeath;
  /** Resolves when no node is left. */
  readonly all: Promise<"dead">;
}

/** Counter of nodes that ended unexpectedly, each reported on standard error. */
function countDeaths(nodes: number): Deaths {
  let left = nodes;
  let settle: (end: "dead") => void = () => undefined;
  const all = new Promise<"dead">((resolve) => {
    settle = resolve;
  });
  const note: OnDeath = (plan, how) => {
    process.stderr.write(`orrery: ${plan.name} ended with ${how}\n`);
    left -= 1;
    if (left === 0) settle("dead");
  };
  return { note, all };
}

interface MakerOptions {
  readonly folder: DataFolder | undefined;
  readonly onDeath: OnDeath;
  readonly isControlled: boolean;
  readonly processes: number | undefined;
}

/** Factory for nodes. */
interface Maker {
  readonly one: (plan: NodePlan) => ManagedNode;
  readonly all: (plans: readonly NodePlan[]) => readonly ManagedNode[];
}

/** Factory for nodes; ports are decorated only under control. */
async function maker(
  transport: TransportKind,
  plans: readonly NodePlan[],
  { folder, onDeath, isControlled, processes }: MakerOptions,
): Promise<Maker> {
  const names: Record<string, string> = {};
  const faults = isControlled ? { faults: { names: () => names } } : {};
  const nodes = plans.length;
  const known = (plan: NodePlan): NodePlan => {
    setKey(names, transportName(plan), plan.name);
    return plan;
  };
  if (transport === "memory") {
    const { createMemoryNode, createHub } = await import("./memory-node.ts");
    const hub = createHub();
    const secrets = secretsIn(folder?.path);
    return oneByOne((plan) =>
      createMemoryNode(known(plan), { hub, secrets, folder, nodes, ...faults }),
    );
  }
  if (folder === undefined) throw new UsageError("a data folder is needed");
  // The secrets must exist before the first node reads them.
  secretsIn(folder.path);
  const { createProcessNode } = await import("./process-node.ts");
  const options = { folder, nodes, onDeath, ...faults };
  const each = oneByOne((plan) => createProcessNode(known(plan), options));
  if (processes === undefined) return each;
  const { createSharedProcesses } = await import("./shared-process.ts");
  return { ...each, all: (all) => createSharedProcesses(all, processes, options) };
}

function oneByOne(one: Maker["one"]): Maker {
  return { one, all: (plans) => plans.map(one) };
}

/** Milliseconds since the command was started, including the start of an older Node that re-executed it. */
function elapsedMs(): number {
  const startedAt = Number(process.env["ORRERY_STARTED_AT"] ?? performance.timeOrigin);
  return Math.round(performance.timeOrigin + performance.now() - startedAt);
}

function announce(
  options: ParsedOptions,
  cluster: RunningCluster,
  { control, health }: { readonly control: Control | undefined; readonly health: Health },
): void {
  const elapsed = elapsedMs();
  const nodes = cluster.nodes.map(({ plan, pid, roles }) => ({
    name: plan.name,
    http: httpUrl(plan),
    transport: transportName(plan),
    pid,
    roles,
  }));
  if (options.flag("json")) {
    const { url, token } = control ?? {};
    const more = control === undefined ? {} : { control: { url, token } };
    const line = { event: "ready", health, elapsed_ms: elapsed, nodes, ...more };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const rows = [
    ["node", "url", "pid", "roles"],
    ...nodes.map((node) => [node.name, node.http, String(node.pid), node.roles.join(",")]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    greatest(rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  if (control !== undefined)
    lines.push(`control at ${control.url}, its token is in ${control.file.path}`);
  process.stdout.write(`${lines.join("\n")}\n${health} in ${elapsed} ms\n`);
}
