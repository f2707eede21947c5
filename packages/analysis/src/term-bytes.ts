/** Passes a term to a `TermBytesSink` as UTF-8 with its hash; an ASCII term is encoded and hashed in one pass. */
import { utf8EncodeInto } from "@orrery/stdx";
import { finishHash, HASH_SEED } from "./term-hash.ts";
import type { TermBytesSink } from "./types.ts";

/** Position and offsets of a term. */
export interface TermPlace {
  readonly positionIncrement: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/**
 * Encodes a term into `bytes` of the sink and calls `term` of the sink; a term that might not fit goes to `immense`
 * instead.
 */
export function pushTerm(term: string, place: TermPlace, sink: TermBytesSink): void {
  const { bytes } = sink;
  const units = term.length;
  if (units > bytes.length) return sink.immense(term);
  let hash = HASH_SEED;
  let length = 0;
  for (; length < units; length += 1) {
    const unit = term.charCodeAt(length);
    if (unit > 127) break;
    bytes[length] = unit;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  if (length < units) {
    if (units * 3 > bytes.length) return sink.immense(term);
    length = utf8EncodeInto(term, bytes);
    hash = HASH_SEED;
    for (let i = 0; i < length; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  }
  sink.term(length, finishHash(hash), place.positionIncrement, place.startOffset, place.endOffset);
}
