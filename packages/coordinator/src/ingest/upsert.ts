/**
 * The document that an update creates when none exists: `upsert`, or `doc` under `doc_as_upsert`. Pipelines process
 * only this document; index, id and routing of the update stay. Source: `TransportBulkAction.getIndexWriteRequest`.
 */
import { isTreeObject, printTree, readMap, type TreeObject } from "@orrery/ingest";
import { OperationError, utf8Encode } from "@orrery/stdx";
import type { WriteItem } from "../types.ts";

/** The update body, and the document in it that is created when none exists. */
export interface Upsert {
  readonly body: TreeObject;
  readonly member: "doc" | "upsert";
  readonly document: TreeObject;
}

/**
 * The upsert document of an update; `undefined` when it has none, or when its body is malformed, which its primary
 * rejects later.
 */
export function upsertOf({ source }: WriteItem): Upsert | undefined {
  const body = bodyOf(source);
  if (body === undefined) return undefined;
  const { doc_as_upsert: isDoc, doc, upsert } = body;
  const member = isDoc === true || isDoc === "true" ? "doc" : "upsert";
  const document = member === "doc" ? doc : upsert;
  return isTreeObject(document) ? { body, member, document } : undefined;
}

function bodyOf(source: Uint8Array): TreeObject | undefined {
  try {
    return readMap(source);
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/** The update with its upsert document replaced by the one that the pipelines produced. */
export function withUpsert(
  item: WriteItem,
  { body, member }: Upsert,
  document: TreeObject,
): WriteItem {
  return { ...item, source: utf8Encode(printTree({ ...body, [member]: document })) };
}
