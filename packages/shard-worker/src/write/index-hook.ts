/** The source of a document as plugins will have it, asked on the primary before the document is parsed. */
import type { RequestContext } from "@orrery/ports";
import { sourceOfBytes } from "@orrery/query";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { DocumentToParse } from "./parse-items.ts";

export interface HookedDocument {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Uint8Array;
}

export type IndexHook = (
  copy: ShardCopy,
  document: HookedDocument,
  context: RequestContext,
) => Uint8Array | undefined;

/** One plugin after the other, each on what the one before it made. Throws what a plugin throws. */
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
