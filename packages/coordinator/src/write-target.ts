/** The target of one write: index, id, routing value and shard. */
import {
  checkBlock,
  dataStreamOf,
  indexSetting,
  resolveWriteIndex,
  resolveWriteRouting,
  shardFor,
  type ClusterState,
  type IndexMetadata,
} from "@orrery/cluster-state";
import {
  illegalArgument,
  isJsonObject,
  newDocumentId,
  OperationError,
  type Problem,
} from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import type { WriteItem } from "./types.ts";

/** The shard that a write goes to, with the document's id (generated if the write had none) and routing value. */
export interface WriteTarget {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly id: string;
  readonly isIdGenerated: boolean;
  readonly routing: string | undefined;
}

/**
 * Resolves a write against one cluster state. Throws `OperationError` with the problem of the item, such as a missing,
 * closed or blocked index, several indices, or missing routing.
 */
export function writeTarget(
  deps: CoordinatorDeps,
  state: ClusterState,
  item: WriteItem,
): WriteTarget {
  const nowMs = deps.clock.nowMs();
  if (item.requireAlias === true) requireAlias(state, item.index);
  const { metadata } = resolveWriteIndex(state, item.index, nowMs);
  refuseInDataStream(state, item, metadata.name);
  const routing = resolveWriteRouting(state, item.index, item.routing, nowMs);
  if (metadata.state === "close") throw closed(metadata);
  const block = checkBlock(state, "write", metadata.name);
  if (block) throw new OperationError(block);
  refuseAppendOnly(metadata, item);
  const id = item.id ?? newDocumentId(deps.random, nowMs);
  if (routing === undefined && isRoutingRequired(metadata)) throw routingMissing(metadata.name, id);
  return {
    index: metadata,
    shard: shardFor(metadata, id, routing),
    id,
    isIdGenerated: item.id === undefined,
    routing,
  };
}

/**
 * A write to a data stream must be a `create`; an index operation on a backing index must carry `if_seq_no` and
 * `if_primary_term`.
 */
function refuseInDataStream(state: ClusterState, item: WriteItem, index: string): void {
  const stream = dataStreamOf(state, index);
  if (stream === undefined || item.operation === "create") return;
  if (stream.name === item.index) {
    throw illegalArgument("only write ops with an op_type of create are allowed in data streams");
  }
  const isGuarded = item.ifSeqNo !== undefined && item.ifPrimaryTerm !== undefined;
  if (item.operation !== "index" || isGuarded || item.index !== index) return;
  throw illegalArgument(
    `index request with op_type=index and no if_primary_term and if_seq_no set targeting backing indices is disallowed, target corresponding data stream [${stream.name}] instead`,
  );
}

function refuseAppendOnly(index: IndexMetadata, { operation, id, index: name }: WriteItem): void {
  const isAppend = operation === "create" || (operation === "index" && id === undefined);
  if (isAppend || indexSetting(index, "index.append_only.enabled") !== true) return;
  const what = operation === "index" ? ` with a custom document id ${id}` : "";
  const reason = `Validation Failed: 1: Operation [${operation.toUpperCase()}] is not allowed${what} as setting \`index.append_only.enabled\` is enabled for this index: ${name};`;
  throw new OperationError({ type: "validation_exception", reason, status: 400 });
}

/** Whether the mapping has `_routing: { required: true }`. */
export function isRoutingRequired(index: IndexMetadata): boolean {
  const routing = index.mapping["_routing"];
  return isJsonObject(routing) && routing["required"] === true;
}

/** Error of a write or read without a routing value, in an index whose mapping requires one. */
export function routingMissing(index: string, id: string): OperationError {
  const reason = `routing is required for [${index}]/[${id}]`;
  return new OperationError({
    type: "routing_missing_exception",
    reason,
    status: 400,
    metadata: { index_uuid: "_na_", index },
  });
}

/** Error of a request to a closed index. */
export function closed(index: IndexMetadata): OperationError {
  const metadata = { index: index.name, index_uuid: index.uuid };
  const problem: Problem = {
    type: "index_closed_exception",
    reason: "closed",
    status: 400,
    metadata,
  };
  return new OperationError(problem);
}

function requireAlias(state: ClusterState, name: string): void {
  const isAlias = [...state.metadata.indices.values()].some((index) => index.aliases.has(name));
  if (isAlias) return;
  const reason = `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`;
  throw new OperationError({
    type: "index_not_found_exception",
    reason,
    status: 404,
    metadata: { index: name, index_uuid: "_na_" },
  });
}
