/** The world of a scenario inside the simulation: nodes by name, clients that speak REST. */
import { dispatch } from "@orrery/rest";
import type { Simulation } from "@orrery/simulator";
import { concatBytes, emptyBytes, utf8Decode, utf8Encode, type Json } from "@orrery/stdx";
import type { Scenario } from "./scenario.ts";
import {
  anyNode,
  anyOtherNode,
  electedClusterManager,
  nodeNames,
  type Client,
  type ClientAnswer,
  type ClientRequest,
  type NodeSelector,
  type World,
} from "./world.ts";

/** How long a client's bytes travel to a node, and back. */
const CLIENT_LATENCY_MS = { low: 1, high: 5 };

export function createWorld(simulation: Simulation, scenario: Scenario): World {
  const { queue } = simulation;
  const nodes = nodeNames(scenario.cluster.nodes);
  const choice = simulation.random("selectors");
  const latency = simulation.random("client-latency");
  const running = (): readonly string[] =>
    nodes.filter((node) => simulation.cluster(node) !== undefined);
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.schedule(ms, resolve);
    });

  const elected = (): readonly string[] => {
    // Whoever is believed in by most: a node cut off may still name an older one.
    const votes = new Map<string, number>();
    for (const node of running()) {
      const state = simulation.cluster(node)?.state();
      const name =
        state?.managerNodeId === undefined ? undefined : state.nodes.get(state.managerNodeId)?.name;
      if (name !== undefined) votes.set(name, (votes.get(name) ?? 0) + 1);
    }
    const [best] = [...votes].toSorted((a, b) => b[1] - a[1]);
    return best === undefined ? [] : [best[0]];
  };

  const select = (selector: NodeSelector): readonly string[] => {
    const up = running();
    if (selector === electedClusterManager) return elected();
    if (selector === anyNode) return up.length === 0 ? [] : [choice.pick(up)];
    if (selector !== anyOtherNode) return nodes.filter((node) => node === selector);
    const others = up.filter((node) => !elected().includes(node));
    return others.length === 0 ? [] : [choice.pick(others)];
  };

  const request = async (
    client: Client,
    node: string,
    what: ClientRequest,
  ): Promise<ClientAnswer | undefined> => {
    const id = client.next;
    client.next += 1;
    const operation = `${what.method} ${what.uri}`;
    simulation.record("", { kind: "client-request", client: client.name, id, operation });
    const answer = await Promise.race([
      send(node, what),
      sleep(what.timeoutMs).then(() => undefined),
    ]);
    const status = answer?.status ?? 0;
    const outcome = answer === undefined ? "unknown" : status < 300 ? "ok" : "failed";
    simulation.record("", { kind: "client-response", client: client.name, id, status, outcome });
    return answer;
  };

  const send = async (
    node: string,
    { method, uri, body }: ClientRequest,
  ): Promise<ClientAnswer | undefined> => {
    await sleep(latency.int(CLIENT_LATENCY_MS.low, CLIENT_LATENCY_MS.high));
    const cluster = simulation.cluster(node);
    // Nobody listens there: the connection is refused, and nothing was done.
    if (cluster === undefined) return { status: 503, body: "connection refused" };
    const type = uri.includes("_bulk") ? "application/x-ndjson" : "application/json";
    const answered = dispatch(
      {
        method,
        uri,
        headers: body === undefined ? {} : { "content-type": type },
        body: body === undefined ? emptyBytes : utf8Encode(body),
      },
      cluster,
    );
    // A node that goes down takes its connections with it: what became of the request is unknown.
    const response = await Promise.race([answered, simulation.whenDown(node)]);
    if (!response) return undefined;
    await sleep(latency.int(CLIENT_LATENCY_MS.low, CLIENT_LATENCY_MS.high));
    const text = utf8Decode(concatBytes(response.body));
    return { status: response.status, body: parse(text) };
  };

  return {
    simulation,
    nodes,
    running,
    select,
    sleep,
    request,
    crash: (node) => simulation.crash(node),
    start: (node) => {
      if (simulation.isUp(node)) return;
      const i = nodes.indexOf(node);
      const zone = scenario.cluster.zones[i % Math.max(1, scenario.cluster.zones.length)];
      void simulation.start({
        name: node,
        clusterName: "orrery",
        httpAddress: `${node}:9200`,
        hostAddress: "127.0.0.1",
        hostName: node,
        settings: {
          "discovery.seed_hosts": nodes,
          "cluster.initial_cluster_manager_nodes": ["node-1"],
          ...(zone === undefined ? {} : { "node.attr.zone": zone }),
          ...scenario.cluster.settings,
        },
      });
    },
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
