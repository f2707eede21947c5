/** What documents are at the end: read in batches through every running node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf } from "../history.ts";
import { newClient, type World } from "../world.ts";

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
  for (let at = 0, turn = 0; at < addresses.length; at += BATCH, turn += 1) {
    const batch = addresses.slice(at, at + BATCH);
    const docs = batch.map(({ index, document }) => ({ _index: index, _id: document }));
    const answer = await world.request(client, nodes[turn % nodes.length] ?? "", {
      method: "POST",
      uri: `/_mget?realtime=${mode === "realtime"}`,
      body: JSON.stringify({ docs }),
      timeoutMs: 30_000,
    });
    const found = isJsonObject(answer?.body) ? answer.body["docs"] : undefined;
    if (!Array.isArray(found) || found.length !== batch.length)
      return `reading back failed: ${JSON.stringify(answer?.body ?? "no answer")}`;
    for (const item of found as readonly Json[]) items.push(item);
  }
  return items;
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
