/**
 * Documents that a copy shows without a forced refresh: once its refresh interval has passed, and a search has woken an
 * idle copy, it shows all of them. Judged for short intervals, on a cluster at rest.
 */
import { isJsonObject, parseDuration } from "@orrery/stdx";
import type { Client, ShardView, World } from "../world.ts";
import { at } from "./answers.ts";

const LONGEST_MS = 5000;
/** Default of `index.refresh_interval`; an index without recent searches refreshes at its next search. */
const DEFAULT = "1s";
/** Limit of copies of one index, as each is asked three times. */
const MOST_COPIES = 6;

/** Compares the document counts of each copy before and after `refresh`: a copy that shows more only then is a finding. */
export async function unrefreshedDocuments(
  world: World,
  client: Client,
  { cluster, index }: { readonly cluster: string; readonly index: string },
  refresh: () => Promise<unknown>,
): Promise<string | undefined> {
  const intervalMs = await intervalOf(world, client, cluster, index);
  const copies = intervalMs === undefined ? [] : await copiesOf(world, cluster, index);
  const count = (): Promise<readonly (number | undefined)[]> =>
    Promise.all(copies.map((copy) => countOn(world, client, copy)));
  if (intervalMs !== undefined) {
    await count();
    await world.sleep(intervalMs + LATE_MS);
  }
  const before = await count();
  await refresh();
  const after = await count();
  for (const [i, { shard, node }] of copies.entries()) {
    const [seen, there] = [before[i], after[i]];
    if (seen === undefined || there === undefined || seen === there) continue;
    return `a search of the copy of ${index}/${shard} on ${node} finds ${seen} documents long after the refresh interval, and ${there} after a refresh`;
  }
  return undefined;
}

/** Time that a due refresh may be late. */
const LATE_MS = 1000;

async function intervalOf(
  world: World,
  client: Client,
  cluster: string,
  index: string,
): Promise<number | undefined> {
  const [node = ""] = world.running(cluster);
  const uri = `/${index}/_settings?flat_settings=true`;
  const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
  const settings = at(at(answer?.body, index), "settings");
  if (answer?.status !== 200 || !isJsonObject(settings)) return undefined;
  const ms = parseDuration(String(at(settings, "index.refresh_interval") ?? DEFAULT));
  return ms !== undefined && ms > 0 && ms <= LONGEST_MS ? ms : undefined;
}

interface Place {
  readonly shard: number;
  readonly node: string;
  readonly index: string;
}

async function copiesOf(world: World, cluster: string, index: string): Promise<readonly Place[]> {
  const [node = ""] = world.running(cluster);
  const view = await world.view(node);
  if (view?.indices.get(index)?.state !== "open") return [];
  const running = new Set(world.running(cluster));
  const isThere = (copy: ShardView): boolean =>
    copy.index === index && copy.state === "STARTED" && running.has(copy.node ?? "");
  return view.shards
    .filter(isThere)
    .slice(0, MOST_COPIES)
    .map(({ shard, node: on = "" }) => ({ index, shard, node: on }));
}

async function countOn(
  world: World,
  client: Client,
  { index, shard, node }: Place,
): Promise<number | undefined> {
  const preference = encodeURIComponent(`_shards:${shard}|_only_local`);
  const uri = `/${index}/_count?preference=${preference}`;
  const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
  const count = at(answer?.body, "count");
  return typeof count === "number" && at(at(answer?.body, "_shards"), "failed") === 0
    ? count
    : undefined;
}
