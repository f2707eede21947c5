/** INV-DATA-1: a document whose write was acknowledged is there, as it was sent, once the cluster has healed. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { newClient } from "../world.ts";
import type { Checker } from "./checker.ts";

const BATCH = 500;

export const noAcknowledgedWriteLost: Checker = {
  name: "no-acknowledged-write-lost",
  invariant: "INV-DATA-1",
  finish: async (world, _scenario, history) => {
    const documents = [...history.acknowledged.values()];
    const client = newClient("checker");
    const nodes = world.running();
    for (let at = 0, turn = 0; at < documents.length; at += BATCH, turn += 1) {
      const batch = documents.slice(at, at + BATCH);
      const docs = batch.map(({ index, id }) => ({ _index: index, _id: id }));
      const node = nodes[turn % nodes.length] ?? "";
      const answer = await world.request(client, node, {
        method: "POST",
        uri: "/_mget",
        body: JSON.stringify({ docs }),
        timeoutMs: 30_000,
      });
      const found = isJsonObject(answer?.body) ? answer.body["docs"] : undefined;
      if (!Array.isArray(found))
        return `reading back failed: ${JSON.stringify(answer?.body ?? "no answer")}`;
      for (const [i, document] of batch.entries()) {
        if (valueOf(found[i] as Json) === document.value) continue;
        return `${document.index}/${document.id} was acknowledged with ${document.value} and is now ${JSON.stringify(found[i])}`;
      }
    }
    return undefined;
  },
};

function valueOf(hit: Json | undefined): Json | undefined {
  const source = isJsonObject(hit) ? hit["_source"] : undefined;
  return isJsonObject(source) ? source["value"] : undefined;
}
