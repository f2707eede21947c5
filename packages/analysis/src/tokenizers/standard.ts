/**
 * The tokenizer `standard`, Lucene's `StandardTokenizer`: words of UAX #29, that is, letters, numbers with inner
 * punctuation, single ideographs, emoji. A word longer than the limit is split into pieces of that length.
 */
import { readInteger } from "../settings.ts";
import { StreamRefusal } from "../stream-refusal.ts";
import { createToken, setToken } from "../token.ts";
import type { Tokenizer } from "../types.ts";
import { MAX_TOKEN_LENGTH_LIMIT } from "./character.ts";
import type { TokenizerFactory } from "./table.ts";
import { TOKEN_TYPES } from "./word-break-data.ts";
import {
  BMP_CLASSES,
  CLASS_BITS,
  NEXT_STATE,
  NO_STATE,
  STATE_ACTION,
  supplementaryClass,
  unpackWordBreaks,
} from "./word-break.ts";

export const MAX_TOKEN_LENGTH = 255;

export const standard: TokenizerFactory = (definition) =>
  createStandardTokenizer(readInteger(definition, "max_token_length", MAX_TOKEN_LENGTH));

/** The tokenizer with a maximum token length in UTF-16 units. */
export function createStandardTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  if (maxTokenLength < 1) throw new StreamRefusal("maxTokenLength must be greater than zero");
  if (maxTokenLength > MAX_TOKEN_LENGTH_LIMIT)
    throw new StreamRefusal(`maxTokenLength may not exceed ${MAX_TOKEN_LENGTH_LIMIT}`);
  unpackWordBreaks();
  const token = createToken();
  return (text, sink) => {
    let at = 0;
    while (at < text.length) {
      const found = scanWord(text, at, maxTokenLength);
      const end = found >>> 4;
      const action = found & 15;
      if (action > 1) {
        sink.token(setToken(token, text.slice(at, end), at, end, TOKEN_TYPES[action] as string));
      }
      at = end;
    }
    sink.end(text.length, 0);
  };
}

/**
 * The longest match at `start`: its end in the upper 28 bits, its token type (index in `TOKEN_TYPES`, 1: none) in the
 * lower 4. The end is always beyond `start`. `unpackWordBreaks` must have been called before.
 */
export function scanWord(text: string, start: number, maxTokenLength: number): number {
  const limit = limitOf(text, start, maxTokenLength);
  let state = 0;
  let at = start;
  let end = start;
  let action = 1;
  while (at < limit) {
    const unit = text.charCodeAt(at);
    let kind = BMP_CLASSES[unit] as number;
    let next = at + 1;
    if ((unit & 0xfc00) === 0xd800 && next < limit) {
      const low = text.charCodeAt(next);
      if ((low & 0xfc00) === 0xdc00) {
        kind = supplementaryClass(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff));
        next += 1;
      }
    }
    state = NEXT_STATE[(state << CLASS_BITS) | kind] as number;
    if (state === NO_STATE) break;
    at = next;
    const accepted = STATE_ACTION[state] as number;
    if (accepted === 0) continue;
    end = at;
    action = accepted;
  }
  return (Math.max(end, start + 1) << 4) | action;
}

function limitOf(text: string, start: number, maxTokenLength: number): number {
  const limit = start + maxTokenLength;
  if (limit >= text.length) return text.length;
  const isSplitPair = maxTokenLength > 1 && (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return isSplitPair ? limit - 1 : limit;
}
