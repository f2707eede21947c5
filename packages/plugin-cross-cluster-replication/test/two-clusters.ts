/** Two clusters in one simulation, REST to each, and what tests ask of them. */
import { composeProduct } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { createSimulation, type RecordedEvent, type Simulation } from "@orrery/simulator";
import { concatBytes, emptyBytes, utf8Decode, utf8Encode, type JsonObject } from "@orrery/stdx";
import { crossClusterReplication } from "../src/index.ts";

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

export interface TwoClusters {
  readonly simulation: Simulation;
  readonly events: readonly RecordedEvent[];
  run(ms: number, until?: () => boolean): Promise<void>;
  start(node: string): Promise<void>;
  /** On any node that is up. */
  leader(request: string, body?: JsonObject | string): Promise<Answer>;
  follower(request: string, body?: JsonObject | string): Promise<Answer>;
  /** Asks again until the answer satisfies the claim; throws after so much virtual time. */
  until(what: string, ms: number, probe: () => Promise<boolean>): Promise<void>;
  finish<T>(work: Promise<T>): Promise<T>;
}

export const leaders = ["leader-1", "leader-2", "leader-3"];
export const followers = ["follower-1", "follower-2", "follower-3"];

export interface Options {
  readonly seed: number;
  readonly leaderNodes?: number;
  readonly followerNodes?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function twoClusters(options: Options): Promise<TwoClusters> {
  const { seed, leaderNodes = 2, followerNodes = 2, settings = {} } = options;
  const events: RecordedEvent[] = [];
  const onEvent = (event: RecordedEvent): void => {
    if (!event.kind.startsWith("message-") && event.kind !== "timer-fired") events.push(event);
  };
  const product = composeProduct([crossClusterReplication]);
  const simulation = createSimulation({ seed, product, onEvent });
  const { queue } = simulation;
  const led = leaders.slice(0, leaderNodes);
  const following = followers.slice(0, followerNodes);
  const run = (ms: number, until?: () => boolean): Promise<void> =>
    queue.run(queue.nowMs + ms, until);
  const start = (name: string): Promise<void> => {
    const names = led.includes(name) ? led : following;
    const [first = ""] = names;
    return simulation.start({
      name,
      clusterName: led.includes(name) ? "leader" : "follower",
      httpAddress: undefined,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: {
        ...settings,
        "discovery.seed_hosts": names,
        "cluster.initial_cluster_manager_nodes": [first],
      },
    });
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    const ended = { is: false };
    const watched = work.finally(() => (ended.is = true));
    watched.catch(() => undefined);
    await run(3_600_000, () => ended.is);
    if (!ended.is) throw new Error("an hour of virtual time was not enough");
    return watched;
  };
  const ask = async (
    names: readonly string[],
    request: string,
    body?: JsonObject | string,
  ): Promise<Answer> => {
    const [method = "", uri = ""] = request.split(" ");
    for (;;) {
      const cluster = names.map((name) => simulation.cluster(name)).find((one) => one);
      if (cluster === undefined) throw new Error(`no node of ${names.join(", ")} is up`);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const type = uri.includes("_bulk") ? "application/x-ndjson" : "application/json";
      const response = await dispatch(
        {
          method,
          uri,
          headers: body === undefined ? {} : { "content-type": type },
          body: body === undefined ? emptyBytes : utf8Encode(text ?? ""),
        },
        cluster,
      );
      const answer = utf8Decode(concatBytes(response.body));
      return { status: response.status, body: JSON.parse(answer) as JsonObject };
    }
  };
  await finish(Promise.all([...led, ...following].map(start)));
  await run(60_000, () =>
    [...led, ...following].every((name) => {
      const state = simulation.cluster(name)?.state();
      const wanted = led.includes(name) ? led.length : following.length;
      return state?.managerNodeId !== undefined && state.nodes.size === wanted;
    }),
  );
  const leader: TwoClusters["leader"] = (request, body) => finish(ask(led, request, body));
  const follower: TwoClusters["follower"] = (request, body) =>
    finish(ask(following, request, body));
  await follower("PUT /_cluster/settings", { persistent: { "cluster.remote.lead.seeds": led } });
  return {
    simulation,
    events,
    run,
    start,
    leader,
    follower,
    finish,
    until: async (what, ms, probe) => {
      const deadline = queue.nowMs + ms;
      while (queue.nowMs < deadline) {
        if (await probe()) return;
        await run(250);
      }
      throw new Error(`${what}: not within ${ms} ms of virtual time`);
    },
  };
}

/** Every document of the index with its version and sequence number, from a search over all copies' primaries. */
export async function documentsOf(
  ask: TwoClusters["leader"],
  index: string,
): Promise<Map<string, string>> {
  await ask(`POST /${index}/_refresh`);
  const { status, body } = await ask(
    `GET /${index}/_search?size=10000&seq_no_primary_term=true&version=true&preference=_primary`,
  );
  // Closed, or without a primary, at the moment.
  if (status !== 200) return new Map();
  const hits = (body["hits"] as unknown as { hits: readonly Hit[] }).hits;
  return new Map(
    hits
      .toSorted((a, b) => (a._id < b._id ? -1 : 1))
      .map((hit) => [hit._id, JSON.stringify([hit._seq_no, hit._version, hit._source])]),
  );
}

interface Hit {
  readonly _id: string;
  readonly _seq_no: number;
  readonly _version: number;
  readonly _source: unknown;
}

/** Lines of a bulk request that creates documents with ids from `from` on. */
export function documents(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => from + i)
    .map((i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"text":"document ${i}"}\n`)
    .join("");
}
