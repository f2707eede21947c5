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
 * Applies records of a primary and appends them to the own translog. Returns their count, operations that were there
 * before included.
 * @throws CorruptStoreError Records are damaged: the copy fails, since the primary has carried them out.
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
 * Parses documents of ordered operations by the copy's current mapping, which the caller has waited for.
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
