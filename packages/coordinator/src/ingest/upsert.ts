/**
 * The document that an update makes where there is none: `upsert`, or `doc` with `doc_as_upsert`. Pipelines see it alone; index, id and
 * routing of the update stay. Source: `TransportBulkAction.getIndexWriteRequest`.
 */
import { isTreeObject, printTree, readMap, type TreeObject } from "@orrery/ingest";
import { OperationError, utf8Encode } from "@orrery/stdx";
import type { WriteItem } from "../types.ts";

export interface Upsert {
  readonly body: TreeObject;
  readonly member: "doc" | "upsert";
  readonly document: TreeObject;
}

/** `undefined`: the update makes no document, or is none that can be read; then its primary refuses it. */
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

export function withUpsert(
  item: WriteItem,
  { body, member }: Upsert,
  document: TreeObject,
): WriteItem {
  return { ...item, source: utf8Encode(printTree({ ...body, [member]: document })) };
}
