/**
 * The word break automaton in typed arrays: class of a code point, next state, token type of a state.
 *
 * The first call of `unpackWordBreaks`, which each tokenizer makes before it scans, fills the arrays: many processes
 * load this module and never analyse a text.
 */
import { ACTIONS, CLASS_NAMES, CLASS_RUNS, STATE_NAMES, TRANSITIONS } from "./word-break-data.ts";

/** Bits of a class in an index of `NEXT_STATE`; rows have power-of-two length, so that a row is a shift. */
export const CLASS_BITS = 5;
/** The state that stands for no next state: the automaton stops. */
export const NO_STATE = 255;

const starts: number[] = [];
const kinds: number[] = [];

/** Class of each code point of the basic multilingual plane. */
export const BMP_CLASSES: Uint8Array = new Uint8Array(0x10000);
/** Next state by (state, class): index `(state << CLASS_BITS) | class`. */
export const NEXT_STATE: Uint8Array = new Uint8Array(TRANSITIONS.length << CLASS_BITS);
/** Token type of a state; 0 when it does not accept. */
export const STATE_ACTION: Uint8Array = Uint8Array.from(ACTIONS, Number);

/** Class of a code point beyond the basic multilingual plane. */
export function supplementaryClass(codePoint: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= codePoint) low = middle;
    else high = middle;
  }
  return kinds[low] as number;
}

let isUnpacked = false;

/** Unpacks the tables of the automaton. A second call has no effect. */
export function unpackWordBreaks(): void {
  if (isUnpacked) return;
  isUnpacked = true;
  unpackClasses();
  unpackTransitions();
}

function unpackClasses(): void {
  let at = 0;
  for (const [, name = "", length = ""] of CLASS_RUNS.matchAll(/([A-Z$%&])([0-9a-z]+)/g)) {
    const end = at + Number.parseInt(length, 36);
    const kind = CLASS_NAMES.indexOf(name);
    if (at < 0x10000) BMP_CLASSES.fill(kind, at, end);
    if (end > 0x10000) {
      starts.push(at);
      kinds.push(kind);
    }
    at = end;
  }
}

function unpackTransitions(): void {
  NEXT_STATE.fill(NO_STATE);
  for (const [state, row] of TRANSITIONS.entries()) {
    for (const [kind, name] of [...row].entries()) {
      if (name !== ".") NEXT_STATE[(state << CLASS_BITS) | kind] = STATE_NAMES.indexOf(name);
    }
  }
}
