/** What documents are at the end: read in batches through every running node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf } from "../history.ts";
import { newClient, type ClientAnswer, type World } from "../world.ts";
import { at } from "./answers.ts";

export interface Address {
  readonly index: string;
  readonly document: string;
}

const BATCH = 500;

/** `realtime`: as they are now; `visible`: as searches see them. */
export type ReadingMode = "realtime" | "visible";

/** An item of `_mget` for each address, in their order; a sentence when reading failed. */
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

/** Again, as long as a connection that died unheard is why a document cannot be read: its first user learns of it so. */
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

const MOST_TRIES = 3;
const AGAIN_MS = 1000;

function isLostOnTheWay(item: Json): boolean {
  return at(at(item, "error"), "type") === "node_disconnected_exception";
}

/** What stands for the source of an item; `undefined` when it has none. */
export function valueOf(item: Json | undefined): Json | undefined {
  return contentOf(isJsonObject(item) ? item["_source"] : undefined);
}

/** That nobody can read the document now, as its index was closed: that says nothing about the document. */
export function isClosed(item: Json | undefined): boolean {
  const error = isJsonObject(item) ? item["error"] : undefined;
  return isJsonObject(error) && error["type"] === "index_closed_exception";
}
