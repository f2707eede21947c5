/**
 * A session of the transport against processes: the same visits over gRPC or WebSocket, and bytes at the socket itself. Every node
 * lives, answers its health in time, and has the state it had.
 */
import { readFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTrust } from "@orrery/host-node";
import type { Network } from "@orrery/ports";
import { createGrpcNetwork } from "@orrery/transport-grpc";
import { createWebsocketNetwork } from "@orrery/transport-websocket";
import { startLiveCluster, type LiveCluster } from "../live-cluster.ts";
import type { Finding, Outcome, Session, SessionOptions } from "../target.ts";
import { pattern } from "../words.ts";
import type { TransportCase } from "./case.ts";
import { frameOf, visit } from "./visitor.ts";

const host = "127.0.0.1";
const HANG_MS = 5000;
const SPEAKING_MS = 2000;
const LOOK_EVERY = 20;
const RECOVERY_MS = 60_000;
const MEMORY_SLACK_BYTES = 400 * 1024 * 1024;

interface Seen {
  readonly version: number;
  readonly stateUuid: string;
  readonly nodeIds: readonly string[];
}

export async function openLive(options: SessionOptions): Promise<Session<TransportCase>> {
  const cluster = await startLiveCluster(options);
  const secret = readFileSync(join(cluster.repositories, "../data/cluster.secret"), "utf8").trim();
  const open = options.world === "websocket" ? createWebsocketNetwork : createGrpcNetwork;
  const network: Network = open({ host, port: 0 });
  const common = { network, clusterName: "orrery" };
  const trust = createTrust({ secret });
  const wrongTrust = createTrust({ secret: `${secret}, or so` });
  let seen = await settled(cluster);
  const memoryBefore = cluster.residentBytes();
  let count = 0;

  const look = async (given: TransportCase): Promise<Outcome> => {
    const fallen = complaintOf(cluster);
    if (fallen !== undefined) return { finding: fallen, isSpent: true };
    const now = given.visitor === "member" ? await settled(cluster) : await stateOf(cluster);
    if (now === undefined)
      return { finding: { cause: "hang", detail: "no health in time" }, isSpent: true };
    const isSame = now.version === seen?.version && now.stateUuid === seen.stateUuid;
    if (!isSame && given.visitor !== "member") {
      const detail = `${seen?.version} to ${now.version}`;
      return { finding: { cause: `changed by ${given.visitor}`, detail }, isSpent: true };
    }
    seen = now;
    if (cluster.residentBytes() < 2 * memoryBefore + MEMORY_SLACK_BYTES) return {};
    return { finding: { cause: "memory: resident", detail: "twice and more" }, isSpent: true };
  };

  return {
    run: async (given) => {
      count += 1;
      const { transport = "" } = cluster.nodes[given.node - 1] ?? {};
      const nodeId = seen?.nodeIds[given.node - 1] ?? "";
      if (given.isRaw) await throwAt(transport, given, nodeId);
      else {
        const visiting = visit({ ...common, address: transport, nodeId, trust, wrongTrust }, given);
        const untilMs = performance.now() + SPEAKING_MS;
        while (!visiting.isOver() && performance.now() < untilMs) await sleep(2);
        await sleep(5);
        visiting.leave();
      }
      // A member may have set an election off; the others are looked after once in a while.
      if (given.visitor === "member" || count % LOOK_EVERY === 0) return look(given);
      const fallen = complaintOf(cluster);
      return fallen === undefined ? {} : { finding: fallen, isSpent: true };
    },
    close: async () => {
      await network.close();
      await cluster.stop();
    },
  };
}

/** Ends when the node has hung up, or has had time to. */
function throwAt(address: string, { said }: TransportCase, nodeId: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectSocket(Number(address.split(":").at(-1)), host, () => {
      for (const one of said) socket.write(frameOf(one, nodeId));
      socket.end();
    });
    socket.resume();
    socket.setTimeout(500, () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}

function complaintOf(cluster: LiveCluster): Finding | undefined {
  const lines = cluster.takeErrors();
  const dead = cluster.dead();
  if (dead.length === 0) return undefined;
  const told = /[A-Z]\w*Error: [^\n]*/.exec(lines.join("\n"))?.[0] ?? "";
  return { cause: `crash: node: ${pattern(told)}`, detail: `${dead.join()}: ${lines.join(" ")}` };
}

/** As every node has it; undefined when one does not answer in time. */
async function stateOf(cluster: LiveCluster): Promise<Seen | undefined> {
  const all = await Promise.all(cluster.nodes.map(({ http }) => askState(http)));
  return all.every((one) => one?.stateUuid === all[0]?.stateUuid) ? all[0] : undefined;
}

async function settled(cluster: LiveCluster): Promise<Seen | undefined> {
  const untilMs = performance.now() + RECOVERY_MS;
  for (;;) {
    const seen = await stateOf(cluster);
    if (seen !== undefined && seen.nodeIds.length === cluster.nodes.length) return seen;
    if (performance.now() > untilMs) return undefined;
    await sleep(200);
  }
}

async function askState(http: string): Promise<Seen | undefined> {
  try {
    const path = "/_cluster/state/version,nodes,master_node?local=true";
    const answer = await fetch(http + path, { signal: AbortSignal.timeout(HANG_MS) });
    const {
      version,
      state_uuid: stateUuid,
      nodes,
    } = (await answer.json()) as {
      readonly version: number;
      readonly state_uuid: string;
      readonly nodes: Readonly<Record<string, { readonly name: string }>>;
    };
    const named = Object.entries(nodes).toSorted(([, a], [, b]) => (a.name < b.name ? -1 : 1));
    return { version, stateUuid, nodeIds: named.map(([id]) => id) };
  } catch {
    return undefined;
  }
}
