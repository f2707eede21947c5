/** The history of a copy, deletes, no-ops and terms included, for the comparison of copies (INV-DATA-7). */
import { crc32c, type Json, type JsonObject } from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { historyFrom, readHistory } from "../engine/history.ts";

/**
 * All operations that the copy retains, each as a list: sequence number, primary term, kind, id, version, CRC-32C of
 * the source (0 for a delete or a no-op).
 */
export function copyHistory(copy: ShardCopy): JsonObject {
  const engine = engineOf(copy);
  const from = historyFrom(engine);
  const operations = readHistory(engine, from, engine.tracker.maxSeqNo).map(
    ({ seqNo, primaryTerm, kind, id, version, source }): Json => [
      ...[seqNo, primaryTerm, kind, id, version],
      // A tombstone has no source.
      kind === "index" && source !== undefined ? crc32c(source) : 0,
    ],
  );
  return { from_seq_no: from, operations };
}
