/**
 * `orrery serve`: one node in this process, configured as the product's node is, by `opensearch.yml` and `-E`. The nodes
 * of a cluster on several machines, or in containers, are started one by one with it.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectWhenIdle } from "@orrery/host-node";
import { productVersion, type NodeConfig } from "@orrery/node";
import { lookup, OperationError } from "@orrery/stdx";
import type { NodePlan } from "../cluster-plan.ts";
import { httpUrl, openDataFolder, transportName } from "../data-folder.ts";
import { ineffectiveSettings } from "../ineffective-settings.ts";
import { boundAddresses, isExposed, loopbackAddresses } from "../listening/node-addresses.ts";
import { readOptions, settingsOf, type ParsedOptions } from "../options.ts";
import { hasGivenSecret } from "../secrets.ts";
import { untilJoined, type ServedNode } from "../serve-node.ts";
import { startSocketNode } from "../socket-node.ts";
import { isTransportKind, type TransportKind } from "../transports.ts";
import { signalled, UsageError } from "../usage.ts";
import { version } from "../version.ts";
import { createNodeLog, type NodeLog } from "./node-log.ts";
import {
  knownSettings,
  planServedNode,
  seeksOthers,
  settingsOfMissingPlugins,
} from "./node-plan.ts";

type Settings = NodeConfig["settings"];

/** Setting of the data folder, which this command alone follows. */
const DATA_PATH = "path.data";
/** Setting by which the user says that the node is open. */
const SECURITY_DISABLED = "plugins.security.disabled";

/** Time after which a node without a cluster counts as started (`discovery.initial_state_timeout` of the product). */
const INITIAL_STATE_TIMEOUT_MS = 30_000;
/** Limit for closing the shards. */
const STOP_TIMEOUT_MS = 10_000;

export async function serve(args: readonly string[]): Promise<number> {
  const options = readOptions(args, {
    config: { type: "string" },
    data: { type: "string" },
    transport: { type: "string" },
    setting: { type: "string", short: "E", multiple: true },
    pidfile: { type: "string", short: "p" },
    quiet: { type: "boolean", short: "q" },
    json: { type: "boolean" },
  });
  if (options.positionals.length > 0)
    throw new UsageError(`unexpected argument [${options.positionals[0]}]`);
  const given = await settingsIn(options);
  refuseSecurity(given);
  const settings = knownSettings(given);
  const folder = openDataFolder(lookup(settings, DATA_PATH)?.toString() ?? options.text("data"));
  try {
    const transport = transportOf(options.text("transport") ?? "grpc");
    const makePlan = (): Promise<NodePlan> =>
      planServedNode({ settings, transport, data: folder.path });
    const plan = await makePlan();
    if (seeksOthers(settings) && !hasGivenSecret(folder.path)) throw secretMissing();
    const log = nodeLog(plan.name, options);
    await tellFirst(log, plan, given);
    await run({ plan, makePlan, folder: folder.path, log, options });
    return 0;
  } finally {
    if (folder.isTemporary) rmSync(folder.path, { recursive: true, force: true });
  }
}

async function settingsIn(options: ParsedOptions): Promise<Settings> {
  const file = options.text("config");
  const ofCommandLine = settingsOf(options.list("setting"));
  if (file === undefined) return ofCommandLine;
  const { readOpensearchYml } = await import("./opensearch-yml.ts");
  return { ...readOpensearchYml(file, process.env), ...ofCommandLine };
}

/** Without the security plugin, a node that is told to be secure must not start as an open one. */
function refuseSecurity(settings: Settings): void {
  if (lookup(settings, SECURITY_DISABLED) !== "false") return;
  throw new UsageError(
    `[${SECURITY_DISABLED}=false]: there is no security plugin yet, neither TLS nor users. Set [${SECURITY_DISABLED}=true], or in a container [DISABLE_SECURITY_PLUGIN=true]`,
  );
}

function secretMissing(): UsageError {
  return new UsageError(
    "[discovery.seed_hosts] names other nodes, and nodes prove a common secret to each other: set [ORRERY_CLUSTER_SECRET] to the same text of at least 16 characters on all nodes, or [ORRERY_CLUSTER_SECRET_FILE] to a file that all of them have; the first node writes it if it is missing",
  );
}

function transportOf(name: string): TransportKind {
  if (isTransportKind(name) && name !== "memory") return name;
  throw new UsageError(`unknown transport [${name}]: expected one of [grpc, websocket]`);
}

/** Lines go to standard output, as in the product; with `--json` it has nothing but the line of the started node. */
function nodeLog(nodeName: string, options: ParsedOptions): NodeLog {
  const stream = options.flag("json") ? process.stderr : process.stdout;
  const isQuiet = options.flag("quiet");
  return createNodeLog({
    nodeName,
    write: (line) => void (isQuiet || stream.write(line)),
    now: () => new Date(),
  });
}

/** Lines before the start; `given` has the settings without effect, too. */
async function tellFirst(log: NodeLog, plan: NodePlan, given: Settings): Promise<void> {
  log.say(
    "node",
    `version[${productVersion}], pid[${process.pid}], orrery[${version}], node[${process.versions.node}]`,
  );
  const isOpenKnown = lookup(given, SECURITY_DISABLED) === "true";
  const ineffective = [
    ...settingsOfMissingPlugins(given).filter((key) => key !== SECURITY_DISABLED),
    ...(await ineffectiveSettings({ nodes: 1, ...plan }, { isPortGiven: false })).filter(
      (key) => key !== DATA_PATH,
    ),
  ];
  if (ineffective.length > 0)
    log.say("orrery", `accepted without effect: ${ineffective.join(", ")}`);
  const { http } = plan.addresses ?? loopbackAddresses;
  if (isExposed(http) && !isOpenKnown)
    log.warn(
      `there is no security plugin yet: everyone who reaches this node can read and change all data, over HTTP without TLS. [${SECURITY_DISABLED}=true] says that this is known`,
    );
}

interface RunOptions {
  readonly plan: NodePlan;
  /** Plans again, with ports that are free by then. */
  readonly makePlan: () => Promise<NodePlan>;
  /** Data folder that has the node's folder. */
  readonly folder: string;
  readonly log: NodeLog;
  readonly options: ParsedOptions;
}

/** Runs the node until a signal arrives. */
async function run(toRun: RunOptions): Promise<void> {
  const { log, options } = toRun;
  collectWhenIdle();
  const startedAt = Number(process.env["ORRERY_STARTED_AT"] ?? performance.timeOrigin);
  const ended = signalled();
  const { plan, served } = await startOnFreePorts(toRun);
  const pidfile = options.text("pidfile");
  let removePid = (): void => undefined;
  try {
    if (pidfile !== undefined) removePid = writePid(pidfile);
    tellAddresses(log, plan);
    served.node.onJoinRefused(({ type, reason }) => log.warn(`join refused: ${reason ?? type}`));
    const outcome = await Promise.race([untilJoined(served.cluster), ended, initialStateTimeout()]);
    if (outcome === "signal") return;
    if (outcome === "timeout")
      log.warn(
        `timed out while waiting for initial discovery state - timeout: ${INITIAL_STATE_TIMEOUT_MS / 1000}s`,
      );
    log.say("node", "started");
    if (options.flag("json")) {
      const elapsed = Math.round(performance.timeOrigin + performance.now() - startedAt);
      process.stdout.write(`${readyLine(plan, served, elapsed)}\n`);
    }
    await ended;
  } finally {
    log.say("node", "stopping ...");
    // No other process would kill a node that hangs.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await served.stop();
    removePid();
    log.say("node", "closed");
  }
}

const bindErrors: ReadonlySet<string> = new Set([
  "bind_transport_exception",
  "bind_http_exception",
]);

/** Starts the node. A port of a range may be taken after it was found free: then the next free one is chosen. */
async function startOnFreePorts(
  toRun: RunOptions,
): Promise<{ readonly plan: NodePlan; readonly served: ServedNode }> {
  const { plan, makePlan, folder, log } = toRun;
  try {
    const path = join(folder, plan.name);
    return { plan, served: await startSocketNode(plan, path, { host: { log: log.log } }) };
  } catch (error) {
    if (!(error instanceof OperationError && bindErrors.has(error.problem.type))) throw error;
    const next = await makePlan();
    const isSame = next.httpPort === plan.httpPort && next.transportPort === plan.transportPort;
    if (isSame) throw error;
    return startOnFreePorts({ ...toRun, plan: next });
  }
}

/**
 * Writes the id of this process, once the node has its ports: a start that fails leaves the file of a running node alone. The
 * returned function removes the file, if it still has this id.
 */
function writePid(file: string): () => void {
  const pid = String(process.pid);
  try {
    writeFileSync(file, pid);
  } catch (error) {
    throw new UsageError(`[--pidfile ${file}] cannot be written: ${(error as Error).message}`);
  }
  return () => {
    if (existsSync(file) && readFileSync(file, "utf8") === pid) rmSync(file);
  };
}

function tellAddresses(log: NodeLog, plan: NodePlan): void {
  const { http, transport } = plan.addresses ?? loopbackAddresses;
  const bound = (layer: typeof http, port: number | undefined): string =>
    boundAddresses(layer, port ?? 0)
      .map((address) => `{${address}}`)
      .join(", ");
  log.say(
    "transport",
    `publish_address {${transportName(plan)}}, bound_addresses ${bound(transport, plan.transportPort)}`,
  );
  const published = httpUrl(plan).replace("http://", "");
  log.say("http", `publish_address {${published}}, bound_addresses ${bound(http, plan.httpPort)}`);
}

function initialStateTimeout(): Promise<"timeout"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("timeout"), INITIAL_STATE_TIMEOUT_MS).unref();
  });
}

function readyLine(plan: NodePlan, { cluster }: ServedNode, elapsed: number): string {
  const { roles } = cluster.localNode;
  const { name } = plan;
  const node = {
    name,
    http: httpUrl(plan),
    transport: transportName(plan),
    pid: process.pid,
    roles,
  };
  return JSON.stringify({ event: "ready", elapsed_ms: elapsed, nodes: [node] });
}
