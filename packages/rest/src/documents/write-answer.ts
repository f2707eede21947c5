/** JSON of write results, for single writes and for the items of a bulk. */
import { resolveWriteRouting } from "@orrery/cluster-state";
import type { Cluster, ShardCounts, WriteFailure, WriteItem, WriteResult } from "@orrery/node";
import { OperationError, utf8Decode } from "@orrery/stdx";
import { problemBody } from "../errors.ts";
import { raw, type Printable, type PrintableObject } from "../json/printable.ts";
import type { Answer } from "../operation.ts";

/** The member `_shards` of the response to a write or a broadcast. */
export function shardCounts(shards: ShardCounts): PrintableObject {
  return {
    total: shards.total,
    successful: shards.successful,
    failed: shards.failed,
    failures: shards.failures.length === 0 ? undefined : shards.failures,
  };
}

/** Response to a single write. A created document (201) carries its `Location`. */
export function writeAnswer(result: WriteResult, item: WriteItem, cluster: Cluster): Answer {
  const location = result.status === 201 ? { Location: locationOf(result, item, cluster) } : {};
  const shards =
    result.result === "noop" ? { total: 0, successful: 0, failed: 0, failures: [] } : result.shards;
  return {
    status: result.status,
    headers: location,
    body: {
      _index: result.index,
      _id: result.id,
      _version: result.version,
      result: result.result,
      forced_refresh: result.forcedRefresh ? true : undefined,
      _shards: shardCounts(shards),
      _seq_no: result.seqNo < 0 ? undefined : result.seqNo,
      _primary_term: result.seqNo < 0 ? undefined : result.primaryTerm,
      get: result.get === undefined ? undefined : raw(result.get),
    },
  };
}

function locationOf(result: WriteResult, item: WriteItem, cluster: Cluster): string {
  const routing = routingOf(item, cluster);
  const path = `/${formEncoded(result.index)}/_doc/${formEncoded(result.id)}`;
  return routing === undefined ? path : `${path}?routing=${formEncoded(routing)}`;
}

function routingOf(item: WriteItem, cluster: Cluster): string | undefined {
  try {
    return resolveWriteRouting(cluster.state(), item.index, item.routing, cluster.clock.nowMs());
  } catch (error) {
    // The alias has changed since the write: the response stands, but its location carries the routing of the
    // request.
    if (error instanceof OperationError) return item.routing;
    throw error;
  }
}

/** Encodes like Java's `URLEncoder.encode`: a blank becomes `+`, and `*` stays. */
function formEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The items of a bulk response. Successful ones are printed as text, since objects for thousands of items would cost
 * more; failed ones are objects.
 */
export function bulkItems(
  items: readonly (WriteResult | WriteFailure)[],
  isDetailed: boolean,
): Printable {
  const parts: Printable[] = [];
  let text = "";
  for (const item of items) {
    if (item.kind === "done") {
      text += text === "" ? doneItem(item) : `,${doneItem(item)}`;
      continue;
    }
    if (text !== "") parts.push(raw(text));
    text = "";
    parts.push(failedItem(item, isDetailed));
  }
  if (text !== "") parts.push(raw(text));
  return parts;
}

function doneItem(item: WriteResult): string {
  const { shards } = item;
  const failures =
    shards.failures.length === 0 ? "" : `,"failures":${JSON.stringify(shards.failures)}`;
  return (
    `{"${item.operation}":{"_index":${JSON.stringify(item.index)},"_id":${JSON.stringify(item.id)}` +
    `,"_version":${item.version},"result":"${item.result}"${item.forcedRefresh ? ',"forced_refresh":true' : ""}` +
    `,"_shards":{"total":${shards.total},"successful":${shards.successful},"failed":${shards.failed}${failures}}` +
    seqNoText(item) +
    `${item.get === undefined ? "" : `,"get":${utf8Decode(item.get)}`},"status":${item.status}}}`
  );
}

function seqNoText({ seqNo, primaryTerm }: WriteResult): string {
  return seqNo < 0 ? "" : `,"_seq_no":${seqNo},"_primary_term":${primaryTerm}`;
}

function failedItem(item: WriteFailure, isDetailed: boolean): Printable {
  return {
    [item.operation]: {
      _index: item.index,
      _id: item.id ?? null,
      status: item.status,
      error: problemBody(item.problem, { isDetailed }),
    },
  };
}
