/**
 * INV-RESOURCE-1: in a long quiet time nothing grows without bound: neither timers, files and bytes of a node, nor
 * contexts, connections, queues, pending work and translogs that nodes report; and all work ends: no request between
 * nodes or of a client, no permit or block of a copy, no cluster state observer remains. The Raft log on disk is
 * bounded.
 *
 * A figure is a finding if it grows at each look; pending work, if the same item is there at each look.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { LOG_ENTRIES } from "../simulated-insight.ts";
import { newClient, type Client, type World } from "../world.ts";
import { at } from "./answers.ts";
import type { Checker } from "./checker.ts";

const LOOKS = 6;

export const nothingGrowsInQuiet: Checker = {
  name: "nothing-grows-in-quiet",
  invariant: "INV-RESOURCE-1",
  says: "Over a long quiet time no number of timers, files, bytes, contexts, connections, queued requests or listeners grows without bound, and no request, permit of a copy or cluster state observer remains.",
  excusedBy: [],
  complaint: ({ phases }) =>
    phases.quietMs === undefined ? "there is no quiet time: [phases] has no [quiet]" : undefined,
  isAlways: true,
  finish: async (world, { phases: { quietMs = 0 } }) => {
    const client = newClient("quiet");
    const looks: ReadonlyMap<string, number>[] = [];
    const works: ReadonlySet<string>[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await world.sleep(quietMs / (LOOKS - 1));
      works.push(world.underWay?.() ?? new Set());
      looks.push(await figuresOf(world, client));
    }
    return growingFigure(looks) ?? stuckWork(works) ?? unboundedLog(looks);
  },
};

/** Figure that grew between every two looks, in a sentence. */
export function growingFigure(looks: readonly ReadonlyMap<string, number>[]): string | undefined {
  const [first] = looks;
  for (const name of first?.keys() ?? []) {
    const values = looks.map((figures) => figures.get(name) ?? Number.NaN);
    const isGrowing = values.every((value, i) => i === 0 || value > (values[i - 1] ?? 0));
    if (isGrowing) return `${name} grew while nothing was asked: ${values.join(", ")}`;
  }
  return undefined;
}

/** Pending work that every look found, in a sentence. */
export function stuckWork(looks: readonly ReadonlySet<string>[]): string | undefined {
  for (const name of looks[0] ?? [])
    if (looks.every((names) => names.has(name)))
      return `[${name}] did not end while nothing was asked`;
  return undefined;
}

/** Bound of the Raft log: it is compacted after a thousand entries, once the snapshot that replaces them is durable. */
const MOST_ENTRIES = 1500;

/** Raft log that exceeds its bound at the last look, in a sentence. */
export function unboundedLog(looks: readonly ReadonlyMap<string, number>[]): string | undefined {
  for (const [name, count] of looks.at(-1) ?? [])
    if (name.startsWith(LOG_ENTRIES) && count > MOST_ENTRIES)
      return `${name} are ${count}, and a log is cut before it has ${MOST_ENTRIES}`;
  return undefined;
}

async function figuresOf(world: World, client: Client): Promise<ReadonlyMap<string, number>> {
  const figures = new Map(world.figures?.());
  for (const node of world.running()) {
    const answer = await world.request(client, node, {
      method: "GET",
      uri: "/_nodes/_local/stats",
      timeoutMs: 30_000,
    });
    const nodes = at(answer?.body, "nodes");
    const [stats] = isJsonObject(nodes) ? Object.values(nodes) : [];
    for (const path of paths) {
      const value = path.split(".").reduce<Json | undefined>(at, stats);
      if (typeof value === "number") figures.set(`${path} of ${node}`, value);
    }
    const pools = at(stats, "thread_pool");
    for (const [pool, of] of Object.entries(isJsonObject(pools) ? pools : {}))
      for (const what of ["active", "queue"]) {
        const value = at(of, what);
        if (typeof value === "number") figures.set(`${pool} ${what} of ${node}`, value);
      }
  }
  return figures;
}

const paths: readonly string[] = [
  ...["indices.search.open_contexts", "indices.search.query_current", "indices.get.current"],
  ...["indices.search.scroll_current", "indices.search.point_in_time_current"],
  ...["indices.indexing.index_current", "indices.merges.current", "indices.segments.count"],
  ...["indices.store.size_in_bytes", "indices.translog.size_in_bytes"],
  ...["indices.translog.operations", "indices.refresh.listeners", "http.current_open"],
  ...["transport.server_open", "indexing_pressure.memory.current.all_in_bytes"],
];
