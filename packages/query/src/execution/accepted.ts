/**
 * The documents of a segment that scripts and score functions may run on. A scorer also stops at
 * deleted and nested documents, which its caller drops afterwards; a function that fails on such a
 * document would fail the search for a hit that it does not have.
 */
import type { SegmentContext } from "../language/searcher.ts";
import { hasBit } from "./bits.ts";

/**
 * A test of one document. `nestedPath` names the nested objects in which the query runs: their
 * documents are live but not accepted, as only root documents are. `undefined`: the query runs on
 * root documents.
 */
export function acceptedBy(
  { accept, live }: SegmentContext,
  nestedPath: string | undefined,
): (doc: number) => boolean {
  const words = nestedPath === undefined ? accept : live;
  return words === undefined ? () => true : (doc) => hasBit(words, doc);
}
