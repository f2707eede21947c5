/**
 * INV-DATA-3: the writes of each document have one order that explains every answer: sequence numbers increase, each
 * compare-and-set found the version that it required, and the last write is the document at the end of the run.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { isWrite, type Operation } from "../history.ts";
import { findAnomaly, type FinalRead } from "../linearizability/documents.ts";
import type { World } from "../world.ts";
import { nothingWritten } from "./nothing-written.ts";
import { concerning, type Checker } from "./checker.ts";
import { indexDeletions } from "./index-deletions.ts";
import { readDocuments, valueOf, type Address } from "./final-reads.ts";
import { shardOfDocument } from "./shard-of-document.ts";

export const compareAndSetIsLinearizable: Checker = {
  name: "compare-and-set-is-linearizable",
  invariant: "INV-DATA-3",
  says: "The writes of each document have one order that explains every answer, including conditions on sequence numbers.",
  excusedBy: ["copies", "unsynced"],
  isOfDocuments: true,
  complaint: nothingWritten,
  finish: async (world, plan, { operations }) => {
    const finalReads = new Map<string, FinalRead | null>();
    for (const { name: cluster } of plan.clusters) {
      const addresses = written(world, cluster, operations);
      const items = await readDocuments(world, cluster, addresses);
      if (typeof items === "string") return items;
      for (const [i, { index, document }] of addresses.entries()) {
        const read = finalReadOf(items[i]);
        if (read !== undefined) finalReads.set(`${cluster}/${index}/${document}`, read);
      }
    }
    const deletions = indexDeletions(world, operations);
    const keyOf = (operation: Operation): string | undefined => {
      const { node, index, document } = operation;
      // Sequence numbers of an index that is deleted and created again start over.
      if (index === undefined || document === undefined || deletions.concern(operation))
        return undefined;
      return `${world.clusterOf(node)}/${index}/${document}`;
    };
    const anomaly = findAnomaly(operations, keyOf, finalReads);
    const [first] = anomaly?.operations ?? [];
    if (anomaly === undefined || first === undefined) return undefined;
    const { index = "", document = "" } = first;
    const shard = await shardOfDocument(world, world.clusterOf(first.node), { index, document });
    return concerning(anomaly.says, {
      ...{ index, document },
      ...(shard === undefined ? {} : { shard }),
    });
  },
};

function written(
  world: World,
  cluster: string,
  operations: readonly Operation[],
): readonly Address[] {
  const addresses = new Map<string, Address>();
  for (const operation of operations) {
    const { index, document, node } = operation;
    if (!isWrite(operation) || index === undefined || document === undefined) continue;
    if (world.clusterOf(node) === cluster)
      addresses.set(`${index}/${document}`, { index, document });
  }
  return [...addresses.values()];
}

/** Document at the end of the run; `null` if it does not exist; `undefined` if the item says neither. */
function finalReadOf(item: Json | undefined): FinalRead | null | undefined {
  if (!isJsonObject(item)) return undefined;
  if (item["found"] === false) return null;
  const { _seq_no: seqNo, _primary_term: primaryTerm } = item;
  if (typeof seqNo !== "number" || typeof primaryTerm !== "number") return undefined;
  return { value: valueOf(item) ?? null, seqNo, primaryTerm };
}
