/**
 * `allocate_stale_primary`, `allocate_empty_primary`: an operator accepts data loss, and deciders are not asked
 * (`AllocateStalePrimaryAllocationCommand`, `AllocateEmptyPrimaryAllocationCommand`).
 */
import type { ShardRouting, UnassignedInfo } from "@orrery/cluster-state";
import { defined, type JsonObject } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { initializeCopy, updateUnassigned } from "../moves.ts";
import { rowOf } from "../routing-nodes.ts";
import type { AllocatePrimaryCommand, CommandsOptions } from "../types.ts";
import { dataNode, ignoresDeciders, isDecisions, refuseAllocate, type Command } from "./command.ts";
import { checkFields, flagField, shardField, textField } from "./fields.ts";
import { missingShard } from "./missing-shard.ts";

type Kind = "allocate_stale_primary" | "allocate_empty_primary";
type AllocatePrimary = AllocatePrimaryCommand<Kind>;

export const allocateStalePrimary: Command<"allocate_stale_primary"> = {
  parse: (fields) => parse("allocate_stale_primary", fields),
  parameters,
  execute: (allocation, command, options) =>
    execute(allocation, command, options, (copy) => {
      if (!command.acceptDataLoss) return dataLoss(command);
      if (copy.recoverySource?.type === "EXISTING_STORE") return undefined;
      return `trying to allocate an existing primary shard [${command.index}][${command.shard}], while no such shard has ever been active`;
    }),
};

export const allocateEmptyPrimary: Command<"allocate_empty_primary"> = {
  parse: (fields) => parse("allocate_empty_primary", fields),
  parameters,
  execute: (allocation, command, options) =>
    execute(allocation, command, options, (copy) => {
      const isEmpty = copy.recoverySource?.type === "EMPTY_STORE";
      return isEmpty || command.acceptDataLoss ? undefined : dataLoss(command);
    }),
};

function parse<K extends Kind>(kind: K, fields: JsonObject): AllocatePrimaryCommand<K> {
  checkFields(kind, fields, ["index", "shard", "node", "accept_data_loss"]);
  return {
    kind,
    index: textField(kind, fields, "index"),
    shard: shardField(kind, fields),
    node: textField(kind, fields, "node"),
    acceptDataLoss: flagField(fields, "accept_data_loss"),
  };
}

function parameters({ index, shard, node, acceptDataLoss }: AllocatePrimary): JsonObject {
  return { index, shard, node, accept_data_loss: acceptDataLoss };
}

function dataLoss({ index, shard }: AllocatePrimary): string {
  return `allocating an empty primary for [${index}][${shard}] can result in data loss. Please confirm by setting the accept_data_loss parameter to true`;
}

function execute(
  allocation: Allocation,
  command: AllocatePrimary,
  options: CommandsOptions,
  refusalOf: (copy: ShardRouting) => string | undefined,
): Decisions {
  const { kind, index, shard } = command;
  const node = dataNode(allocation, command.node, kind, options);
  if (isDecisions(node)) return node;
  const missing = missingShard(allocation, index, shard, kind, options);
  if (missing !== undefined) return missing;
  const copy = defined(
    rowOf(allocation.routing, index, shard).find(({ primary }) => primary),
    "primary of a shard",
  );
  if (copy.state !== "UNASSIGNED") {
    return refuseAllocate(options, kind, `primary [${index}][${shard}] is already assigned`);
  }
  const refusal = refusalOf(copy);
  if (refusal !== undefined) return refuseAllocate(options, kind, refusal);
  const forced = forcedCopy(allocation, copy, kind);
  initializeCopy(allocation, forced, node.node.id);
  return ignoresDeciders(kind);
}

function forcedCopy(allocation: Allocation, copy: ShardRouting, kind: Kind): ShardRouting {
  const info = defined(copy.unassignedInfo, "unassigned info");
  if (kind === "allocate_stale_primary") {
    const source = { type: "EXISTING_STORE", bootstrapNewHistoryUuid: true } as const;
    return updateUnassigned(allocation, copy, info, source);
  }
  return updateUnassigned(allocation, copy, emptyInfo(allocation, info), { type: "EMPTY_STORE" });
}

function emptyInfo({ inputs }: Allocation, info: UnassignedInfo): UnassignedInfo {
  if (info.reason === "FORCED_EMPTY_PRIMARY") return info;
  return {
    reason: "FORCED_EMPTY_PRIMARY",
    atMs: inputs.nowMs,
    delayed: false,
    failedAllocations: 0,
    failedNodeIds: [],
    lastAllocationStatus: info.lastAllocationStatus,
    details: `force empty allocation from previous reason ${info.reason}, ${info.details ?? "null"}`,
  };
}
