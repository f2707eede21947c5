/** INV-DATA-1: a document whose write was acknowledged is there, as it was sent, once the cluster has healed. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { isWrite, type History, type Operation } from "../history.ts";
import { newClient } from "../world.ts";
import type { Checker } from "./checker.ts";

const BATCH = 500;

export const noAcknowledgedWriteLost: Checker = {
  name: "no-acknowledged-write-lost",
  invariant: "INV-DATA-1",
  says: "A document whose write was acknowledged is there, as it was sent, once the cluster has healed.",
  complaint: ({ workload }) => (workload.length === 0 ? "no client writes" : undefined),
  finish: async (world, plan, history) => {
    const client = newClient("checker");
    for (const { name: cluster } of plan.clusters) {
      const ours = new Set(
        plan.indices.flatMap((index) => (index.cluster === cluster ? index.name : [])),
      );
      const documents = lastWrites(history).filter(({ index = "" }) => ours.has(index));
      const nodes = world.running(cluster);
      for (let at = 0, turn = 0; at < documents.length; at += BATCH, turn += 1) {
        const batch = documents.slice(at, at + BATCH);
        const docs = batch.map(({ index, document }) => ({ _index: index, _id: document }));
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
        for (const [i, { index, document, wrote }] of batch.entries()) {
          if (JSON.stringify(valueOf(found[i] as Json)) === JSON.stringify(wrote)) continue;
          return `${index}/${document} was acknowledged with ${JSON.stringify(wrote)} and is now ${JSON.stringify(found[i])}`;
        }
      }
    }
    return undefined;
  },
};

/** The newest acknowledged write of each document that nobody else may have written since. */
function lastWrites({ operations }: History): readonly Operation[] {
  const last = new Map<string, Operation>();
  const unsure = new Set<string>();
  for (const operation of operations) {
    if (!isWrite(operation)) continue;
    const key = `${operation.index}/${operation.document}`;
    if (operation.outcome === "unknown") unsure.add(key);
    if (operation.outcome !== "ok") continue;
    if ((operation.seqNo ?? 0) >= (last.get(key)?.seqNo ?? -1)) last.set(key, operation);
  }
  return [...last].flatMap(([key, operation]) => (unsure.has(key) ? [] : [operation]));
}

function valueOf(hit: Json | undefined): Json | undefined {
  const source = isJsonObject(hit) ? hit["_source"] : undefined;
  return isJsonObject(source) ? source["value"] : undefined;
}
