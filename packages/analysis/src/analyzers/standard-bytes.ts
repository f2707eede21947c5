/**
 * The standard analyzer as one loop over char codes, without a string or an object per token: the hot path of
 * indexing.
 *
 * ASCII text needs no table: words consist of letters, digits and underscores, with `.`, `:` or `'` between two
 * letters and `.`, `,`, `;` or `'` between two digits. At the first character beyond ASCII the current word is
 * rescanned by the automaton of `standard.ts`, and the loop continues behind it. A property test compares both paths.
 */
import { utf8EncodeInto } from "@orrery/stdx";
import { lowercase } from "../code-points.ts";
import { finishHash, HASH_SEED } from "../term-hash.ts";
import { scanWord } from "../tokenizers/standard.ts";
import { unpackWordBreaks } from "../tokenizers/word-break.ts";
import type { TermBytesSink } from "../types.ts";

// Kinds of ASCII characters, in steps of 128: the lower bits hold the character in lower case.
const OTHER = 0;
/** A character that joins two letters. */
const MID_LETTER = 128;
/** A character that joins two digits. */
const MID_NUMBER = 256;
/** A character that joins two letters or two digits. */
const MID_BOTH = 384;
/** Kinds from here on are word characters. */
const WORD = 512;
const UNDERSCORE = 512;
const DIGIT = 640;
/** Kinds from here on are letters. */
const LETTER = 768;

/** For each ASCII character its kind plus the character in lower case. */
const KINDS: Uint16Array = makeKinds();

/**
 * Creates the walk of `Analyzer.visitBytes` for a maximum token length in UTF-16 units. The walk returns the trailing
 * position increment, which is always 0.
 */
export function createStandardBytesWalk(
  maxTokenLength: number,
): (text: string, sink: TermBytesSink) => number {
  unpackWordBreaks();
  return (text, sink) => {
    const { length } = text;
    const { bytes } = sink;
    let start = 0;
    while (start < length) {
      const first = text.charCodeAt(start);
      if (first > 127) {
        start = scanForeign(text, start, maxTokenLength, sink);
        continue;
      }
      if ((KINDS[first] as number) < WORD) {
        start += 1;
        // A keycap is punctuation followed by U+20E3, so the automaton must see both.
        const isKeycap = start < length && text.charCodeAt(start) > 127;
        if (isKeycap) start = scanForeign(text, start - 1, maxTokenLength, sink);
        continue;
      }
      const limit = Math.min(length, start + maxTokenLength);
      let at = start;
      let hash = HASH_SEED;
      let hasWord = false;
      let isForeign = false;
      let previous = OTHER;
      for (;;) {
        let entry = OTHER;
        const run = at;
        while (at < limit) {
          const unit = text.charCodeAt(at);
          if (unit > 127) {
            isForeign = true;
            break;
          }
          entry = KINDS[unit] as number;
          if (entry < LETTER) break;
          const lower = entry & 127;
          bytes[at - start] = lower;
          hash = Math.imul(hash ^ lower, 0x01000193);
          at += 1;
        }
        if (at > run) {
          hasWord = true;
          previous = LETTER;
        }
        if (isForeign) break;
        if (at === limit) {
          isForeign = limit < length;
          break;
        }
        const kind = entry & ~127;
        if (kind < WORD) {
          if (!joins(kind, previous)) break;
          // A joining character belongs to the word only if a letter or digit of its kind follows directly.
          const after = at + 1 < length ? text.charCodeAt(at + 1) : 0;
          isForeign = after > 127;
          if (isForeign || ((KINDS[after] as number) & ~127) !== previous) break;
        } else if (kind === DIGIT) hasWord = true;
        bytes[at - start] = entry & 127;
        hash = Math.imul(hash ^ (entry & 127), 0x01000193);
        previous = kind;
        at += 1;
      }
      if (isForeign) at = scanForeign(text, start, maxTokenLength, sink);
      else if (hasWord) sink.term(at - start, finishHash(hash), 1, start, at);
      start = at;
    }
    return 0;
  };
}

function joins(kind: number, previous: number): boolean {
  if (previous === LETTER) return kind === MID_LETTER || kind === MID_BOTH;
  return previous === DIGIT && (kind === MID_NUMBER || kind === MID_BOTH);
}

/** Scans one word from `start` with the automaton; returns its end. */
function scanForeign(
  text: string,
  start: number,
  maxTokenLength: number,
  sink: TermBytesSink,
): number {
  const found = scanWord(text, start, maxTokenLength);
  const end = found >>> 4;
  if ((found & 15) <= 1) return end;
  const term = lowercase(text.slice(start, end));
  if (term.length * 3 > sink.bytes.length) {
    sink.immense(term);
    return end;
  }
  const size = utf8EncodeInto(term, sink.bytes);
  let hash = HASH_SEED;
  for (let i = 0; i < size; i += 1) hash = Math.imul(hash ^ (sink.bytes[i] as number), 0x01000193);
  sink.term(size, finishHash(hash), 1, start, end);
  return end;
}

function makeKinds(): Uint16Array {
  const kinds = new Uint16Array(128);
  const mark = (characters: string, kind: number): void => {
    for (const char of characters) {
      kinds[char.charCodeAt(0)] = kind + char.toLowerCase().charCodeAt(0);
    }
  };
  mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", LETTER);
  mark("0123456789", DIGIT);
  mark("_", UNDERSCORE);
  mark(":", MID_LETTER);
  mark(",;", MID_NUMBER);
  mark(".'", MID_BOTH);
  return kinds;
}
