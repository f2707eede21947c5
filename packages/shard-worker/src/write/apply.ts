/** Operations that a primary has ordered, applied to another copy. */
import { OperationError } from "@orrery/stdx";
import type { ParsedDocument } from "@orrery/query";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { applyOperation, closeBatch } from "../engine/operations.ts";
import type { EngineState } from "../engine/types.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { readRecords, type Operation } from "../translog/record.ts";

/**
 * Applies the records that a primary has sent and appends them to the copy's translog. Returns the number of records;
 * those that were applied before count.
 * @throws CorruptStoreError A record is damaged. The copy fails by this, since the primary has executed the operation.
 */
export function applyRecords(copy: ShardCopy, engine: EngineState, records: Uint8Array): number {
  const { operations, end } = readRecords(records);
  if (end !== records.length) {
    throw new CorruptStoreError("translog_corrupted_exception", "damaged operations in a message");
  }
  guarded(engine, () => {
    for (const operation of operations) applyOperation(engine, operation, parserOf(copy));
    closeBatch(engine);
  });
  return operations.length;
}

/**
 * A parser of the documents of ordered operations, by the copy's current mapping. The caller has waited until the
 * mapping has the operations' version.
 * @throws OperationError `mapper_exception`: the mapping lacks a field. A replica never proposes fields.
 */
export function parserOf(copy: ShardCopy): (operation: Operation) => ParsedDocument {
  return ({ id, source, routing }) => {
    const { mapping } = copy.service;
    const parsed = mapping.parseDocument(id, source ?? new Uint8Array(0), routing);
    if (parsed.mappingUpdate === undefined) return parsed;
    throw new OperationError({
      type: "mapper_exception",
      reason: `${shardName(copy)} the mapping lacks fields of an operation that the primary has applied`,
      status: 500,
    });
  };
}
