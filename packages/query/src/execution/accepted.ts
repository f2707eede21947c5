/**
 * The documents of a segment that scripts and score functions may run on. A scorer also stops at
 * deleted and nested documents, which its caller drops afterwards; a function that fails on such a
 * document would fail the search for a hit that it does not have.
 */
import type { SegmentContext } from "../language/searcher.ts";
import { hasBit } from "./bits.ts";

/**
 * Returns a test whether a document may be a hit of a query. `nestedPath` of `undefined`: the query
 * runs on root documents, which the segment accepts. Otherwise it runs on the nested objects of
 * this path, whose documents are live but not accepted.
 */
export function acceptedBy(
  { accept, live }: SegmentContext,
  nestedPath: string | undefined,
): (doc: number) => boolean {
  const words = nestedPath === undefined ? accept : live;
  return words === undefined ? () => true : (doc) => hasBit(words, doc);
}
