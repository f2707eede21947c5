/** Bytes as a quoted string in Go's notation (`%q`): printable text as it is, everything else escaped. */
import { bytesEqual, lookup, utf8Decode, utf8Encode } from "@orrery/stdx";

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The quoted text. Bytes that are not valid UTF-8 become escapes like `\xff`. */
export function quote(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    text +=
      length === 0 ? `\\x${hex(bytes[at] ?? 0, 2)}` : escaped(bytes.subarray(at, at + length));
    at += Math.max(length, 1);
  }
  return `"${text}"`;
}

/** The number of bytes of the UTF-8 character at this position; 0 when there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const character = bytes.subarray(at, at + length);
  // Only a well-formed character survives being decoded and encoded again.
  const isWellFormed = [...utf8Decode(character)].length === 1;
  return isWellFormed && bytesEqual(utf8Encode(utf8Decode(character)), character) ? length : 0;
}

function escaped(character: Uint8Array): string {
  const text = utf8Decode(character);
  const escape = lookup(escapes, text);
  if (escape !== undefined) return escape;
  if (printable.test(text)) return text;
  const point = text.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return point < 0x1_00_00 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
