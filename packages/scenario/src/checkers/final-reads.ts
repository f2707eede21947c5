/** Documents at the end of a run, read in batches through each running node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf } from "../history.ts";
import { newClient, type ClientAnswer, type World } from "../world.ts";
import { at } from "./answers.ts";

export interface Address {
  readonly index: string;
  readonly document: string;
}

const BATCH = 500;

/** `realtime`: the latest version; `visible`: the version that searches see. */
export type ReadingMode = "realtime" | "visible";

/** Items of `_mget` in the order of the addresses; a sentence if reading failed. */
export async function readDocuments(
  world: World,
  cluster: string,
  addresses: readonly Address[],
  mode: ReadingMode = "realtime",
): Promise<readonly Json[] | string> {
  const client = newClient("checker");
  const nodes = world.running(cluster);
  const items: Json[] = [];
  for (let from = 0, turn = 0; from < addresses.length; from += BATCH, turn += 1) {
    const batch = addresses.slice(from, from + BATCH);
    const docs = batch.map(({ index, document }) => ({ _index: index, _id: document }));
    const body = await untilHeard(world, () =>
      world.request(client, nodes[turn % nodes.length] ?? "", {
        method: "POST",
        uri: `/_mget?realtime=${mode === "realtime"}`,
        body: JSON.stringify({ docs }),
        timeoutMs: 30_000,
      }),
    );
    const found = docsIn(body);
    if (found?.length !== batch.length)
      return `reading back failed: ${JSON.stringify(body ?? "no answer")}`;
    for (const item of found) items.push(item);
  }
  return items;
}

function docsIn(body: Json | undefined): readonly Json[] | undefined {
  const docs = at(body, "docs");
  return Array.isArray(docs) ? (docs as readonly Json[]) : undefined;
}

/**
 * Repeats a read that failed because connections had died unnoticed: the first request on one detects this, its node leaves,
 * and the shard has no copy until the node is back.
 */
async function untilHeard(
  world: World,
  ask: () => Promise<ClientAnswer | undefined>,
): Promise<Json | undefined> {
  for (let tries = 1; ; tries += 1) {
    const body = (await ask())?.body;
    if (docsIn(body)?.some(isLostOnTheWay) !== true || tries === MOST_TRIES) return body;
    await world.sleep(AGAIN_MS);
  }
}

const MOST_TRIES = 10;
const AGAIN_MS = 1000;

function isLostOnTheWay(item: Json): boolean {
  for (let error = at(item, "error"); error !== undefined; error = at(error, "caused_by")) {
    const type = at(error, "type");
    if (typeof type === "string" && PASSING.has(type)) return true;
  }
  return false;
}

const PASSING: ReadonlySet<string> = new Set([
  "node_disconnected_exception",
  "no_shard_available_action_exception",
]);

/** Value that identifies the source of an item; `undefined` if the item has no source. */
export function valueOf(item: Json | undefined): Json | undefined {
  return contentOf(isJsonObject(item) ? item["_source"] : undefined);
}

/** True if the document cannot be read because its index is closed, which says nothing about the document. */
export function isClosed(item: Json | undefined): boolean {
  const error = isJsonObject(item) ? item["error"] : undefined;
  return isJsonObject(error) && error["type"] === "index_closed_exception";
}
