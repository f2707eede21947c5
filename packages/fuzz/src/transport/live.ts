/**
 * Session of the transport target with processes: visits over gRPC or WebSocket, and bytes on the bare socket. Every
 * node must survive, answer health requests in time, keep its state, and return to its earlier memory.
 *
 * Of concurrent cases the members run last: before them the cluster state must not change, not even its version.
 */
import { readFileSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTrust } from "@orrery/host-node";
import type { Network } from "@orrery/ports";
import { startLiveCluster, type LiveCluster } from "../live-cluster.ts";
import { isBack, memoryFinding } from "../memory.ts";
import type {
  Finding,
  Outcome,
  Session,
  SessionOptions,
  Suspicion,
  TogetherOutcome,
} from "../target.ts";
import { createWindow } from "../window.ts";
import { pattern } from "../words.ts";
import { isMember, type TransportCase } from "./case.ts";
import { settledState, stateOf, type SeenState } from "./seen-state.ts";
import { socketTransportOf, type SocketTransportRow } from "./socket-transports.ts";
import { frameOf, visit } from "./visitor.ts";

const host = "127.0.0.1";
const SPEAKING_MS = 2000;
const RAW_MS = 300;
const LOOK_EVERY = 20;
const LOOK_EVERY_MS = 250;
const QUIET_MS = 60_000;
/** Visits of each node, with state requests, before memory is measured, so that its caches are filled. */
const WARM_UP = 300;

interface VisitTarget {
  readonly cluster: LiveCluster;
  readonly transport: SocketTransportRow;
  readonly common: Omit<Parameters<typeof visit>[0], "address" | "nodeId">;
}

export async function openLive(options: SessionOptions): Promise<Session<TransportCase>> {
  const cluster = await startLiveCluster(options);
  const secret = readFileSync(join(cluster.repositories, "../data/cluster.secret"), "utf8").trim();
  const transport = socketTransportOf(options.world);
  const network: Network = transport.openNetwork({ host, port: 0 });
  const trust = createTrust({ secret });
  const wrongTrust = createTrust({ secret: `${secret}, or so` });
  const common = { network, clusterName: "orrery", trust, wrongTrust };
  const door: VisitTarget = { cluster, transport, common };
  let seen = await settledState(cluster);
  for (let round = 0; round < WARM_UP; round += 1) {
    const visits = cluster.nodes.map((_, i) => ({ visitor: "liar", node: i + 1 }) as const);
    const one = { channel: "ping", said: [] } as const;
    await Promise.all([
      ...visits.map((visitor) => runVisit(door, { ...one, ...visitor }, seen)),
      stateOf(cluster),
    ]);
  }
  const beforeBytes = cluster.residentBytes();
  const together = createTogether(door, options, {
    beforeBytes,
    seen: () => seen,
    renew: (state) => {
      seen = state;
    },
  });
  let count = 0;

  const look = async (given: TransportCase): Promise<Outcome> => {
    const fallen = complaintOf(cluster);
    if (fallen !== undefined) return { finding: fallen, isSpent: true };
    const now = isMember(given) ? await settledState(cluster) : await stateOf(cluster);
    if (now === undefined) return { finding: silent, isSpent: true };
    if (!isMember(given) && !isSame(now, seen))
      return { finding: changed(given, seen, now), isSpent: true };
    seen = now;
    return {};
  };

  return {
    ...together,
    run: async (given) => {
      count += 1;
      await runVisit(door, given, seen);
      // A member may have caused an election; the other visitors are checked periodically.
      const isLooked = isMember(given) || options.inFlight === 1 || count % LOOK_EVERY === 0;
      if (isLooked) return look(given);
      const fallen = complaintOf(cluster);
      return fallen === undefined ? {} : { finding: fallen, isSpent: true };
    },
    close: async () => {
      await network.close();
      await cluster.stop();
    },
  };
}

interface Standing {
  readonly beforeBytes: number;
  readonly seen: () => SeenState | undefined;
  readonly renew: (state: SeenState) => void;
}

function createTogether(
  door: VisitTarget,
  { inFlight = 1, nodes }: SessionOptions,
  { beforeBytes, seen, renew }: Standing,
): Required<Pick<Session<TransportCase>, "runTogether" | "settle">> {
  const { cluster } = door;
  const window = createWindow(inFlight, () => performance.now());
  const positions: number[] = [];
  let suspicions: Suspicion[] = [];
  let count = 0;
  let isSpent = false;
  let slowestHealthMs = 0;

  const fall = (finding: Finding): void => {
    isSpent = true;
    const suspects = window.suspects().map((at) => positions[at] ?? 0);
    suspicions.push({ finding, suspects: suspects.toSorted((a, b) => a - b), since: 0 });
  };
  const take = (): TogetherOutcome => {
    const told = suspicions;
    suspicions = [];
    return { suspicions: told, isSpent };
  };
  const look = async (isStill: boolean): Promise<void> => {
    const startedMs = performance.now();
    const fallen = complaintOf(cluster);
    if (fallen !== undefined) return fall(fallen);
    const now = isStill ? await stateOf(cluster) : await settledState(cluster);
    if (isStill) slowestHealthMs = Math.max(slowestHealthMs, performance.now() - startedMs);
    if (now === undefined) return fall(complaintOf(cluster) ?? silent);
    if (isStill && !isSame(now, seen())) return fall(changed(undefined, seen(), now));
    window.markHealthy(startedMs);
    renew(now);
  };
  /** Runs all cases concurrently, and observes the state meanwhile. */
  const runGroup = async (
    group: readonly (readonly [at: number, given: TransportCase])[],
    isStill: boolean,
  ): Promise<void> => {
    let isOver = false;
    const looking = (async () => {
      while (isStill && !isOver && !isSpent) {
        await look(true);
        await sleep(LOOK_EVERY_MS);
      }
    })();
    for (const [at, given] of group) {
      if (isSpent) break;
      positions.push(at);
      await window.start(() => runVisit(door, given, seen()));
    }
    await window.drained(SPEAKING_MS * 2);
    isOver = true;
    await looking;
    if (!isSpent) await look(isStill);
  };

  return {
    async runTogether(given) {
      const numbered = given.map((one, i) => [count + i, one] as const);
      count += given.length;
      await runGroup(
        numbered.filter(([, one]) => !isMember(one)),
        true,
      );
      if (!isSpent)
        await runGroup(
          numbered.filter(([, one]) => isMember(one)),
          false,
        );
      return take();
    },
    async settle() {
      if (isSpent) return take();
      const untilMs = performance.now() + QUIET_MS;
      // An idle process does not collect garbage, so requests go on meanwhile.
      while (!isBack(beforeBytes, cluster.residentBytes()) && performance.now() < untilMs)
        await stateOf(cluster);
      const afterBytes = cluster.residentBytes();
      const finding = memoryFinding(beforeBytes, afterBytes, nodes);
      if (finding !== undefined) suspicions.push({ finding, suspects: [], since: 0 });
      await look(true);
      return { ...take(), measured: { memory: { beforeBytes, afterBytes }, slowestHealthMs } };
    },
  };
}

/** Resolves when the visitor has sent everything, or the node has closed the connection. */
async function runVisit(
  { cluster, transport, common }: VisitTarget,
  given: TransportCase,
  seen: SeenState | undefined,
): Promise<void> {
  const { transport: address = "" } = cluster.nodes[given.node - 1] ?? {};
  const nodeId = seen?.nodeIds[given.node - 1] ?? "";
  if (given.raw !== undefined)
    return sendRawCase(address, transport, { ...given, raw: given.raw }, nodeId);
  const visiting = visit({ ...common, address, nodeId }, given);
  const untilMs = performance.now() + SPEAKING_MS;
  while (!visiting.isOver() && performance.now() < untilMs) await sleep(2);
  await sleep(5);
  visiting.leave();
}

/** Resolves when the node has closed the socket, or had time to. */
async function sendRawCase(
  address: string,
  { bytesOf }: SocketTransportRow,
  { said, raw, channel }: TransportCase & Required<Pick<TransportCase, "raw">>,
  nodeId: string,
): Promise<void> {
  const content = Buffer.concat(said.map((one) => frameOf(one, nodeId)));
  const bytes = bytesOf({ ...raw, channel, content });
  const port = Number(address.split(":").at(-1));
  const isHeld = ["idle", "many", "unfinished"].includes(raw.kind);
  const sockets = raw.kind === "many" ? raw.count : 1;
  await Promise.all(Array.from({ length: sockets }, () => sendRawBytes(port, bytes, isHeld)));
}

function sendRawBytes(port: number, bytes: Buffer, isHeld: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connectSocket(port, host, () => {
      if (bytes.length > 0) socket.write(bytes);
      if (!isHeld) socket.end();
    });
    const timer = setTimeout(() => socket.destroy(), RAW_MS);
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const silent: Finding = { cause: "hang", detail: "no health in time" };

function isSame(a: SeenState, b: SeenState | undefined): boolean {
  return a.version === b?.version && a.stateUuid === b.stateUuid;
}

function changed(
  given: TransportCase | undefined,
  before: SeenState | undefined,
  now: SeenState,
): Finding {
  const who = given === undefined ? "strangers" : (given.raw?.kind ?? given.visitor);
  return { cause: `changed by ${who}`, detail: `${before?.version} to ${now.version}` };
}

function complaintOf(cluster: LiveCluster): Finding | undefined {
  const lines = cluster.takeErrors();
  const dead = cluster.dead();
  if (dead.length === 0) return undefined;
  const told = /[A-Z]\w*Error: [^\n]*/.exec(lines.join("\n"))?.[0] ?? "";
  return { cause: `crash: node: ${pattern(told)}`, detail: `${dead.join()}: ${lines.join(" ")}` };
}
