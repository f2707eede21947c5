/** The source of a document as plugins will have it, asked on the primary before the document is parsed. */
import type { RequestContext } from "@orrery/ports";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { DocumentToParse } from "./parse-items.ts";

export type IndexHook = (
  copy: ShardCopy,
  document: DocumentToParse,
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
    const source = index?.(copy, asked, context);
    if (source !== undefined) asked = { ...asked, source };
  }
  return asked;
}
