/** The hook by which plugins change the source of a document on the primary, before it is parsed. */
import type { RequestContext } from "@orrery/ports";
import { sourceOfBytes } from "@orrery/query";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { DocumentToParse } from "./parse-items.ts";

/** A document as a plugin's hook gets it before it is indexed. */
export interface HookedDocument {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Uint8Array;
}

/**
 * Returns the source that replaces the sent one; `undefined`: the sent source is indexed.
 * @throws OperationError The document is refused.
 */
export type IndexHook = (
  copy: ShardCopy,
  document: HookedDocument,
  context: RequestContext,
) => Uint8Array | undefined;

/** The document after all plugins, in their order, each given the result of the one before. */
export function documentToIndex(
  copy: ShardCopy,
  document: DocumentToParse,
  context: RequestContext,
): DocumentToParse {
  let asked = document;
  for (const { index } of copy.worker.plugins) {
    const source = index?.(copy, { ...asked, source: asked.source.bytes }, context);
    if (source !== undefined) asked = { ...asked, source: sourceOfBytes(source) };
  }
  return asked;
}
