/** Which documents of a segment scripts and functions may look at: those that the core does not drop anyway, hidden ones among them. */
import type { SegmentContext } from "../language/searcher.ts";
import { hasBit } from "./bits.ts";

/** `nestedPath`: of the nested objects that the query runs in. */
export function acceptedBy(
  { accept, live }: SegmentContext,
  nestedPath: string | undefined,
): (doc: number) => boolean {
  const words = nestedPath === undefined ? accept : live;
  return words === undefined ? () => true : (doc) => hasBit(words, doc);
}
