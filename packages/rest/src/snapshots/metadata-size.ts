/**
 * Size of snapshot metadata in bytes as the product counts it: in its transport format, not as JSON. Source:
 * `StreamOutput.writeMap`.
 */
import { isJsonObject, type Json } from "@orrery/stdx";

/** Bytes of a JSON value in the product's binary encoding, the byte for its type included. */
export function writtenBytes(value: Json): number {
  if (value === null) return 1;
  if (typeof value === "boolean") return 2;
  if (typeof value === "number") return isInt(value) ? 5 : 9;
  if (typeof value === "string") return 1 + textBytes(value);
  if (typeof value === "bigint") return isLong(value) ? 9 : 1 + textBytes(String(value));
  if (!isJsonObject(value)) {
    return value.reduce(
      (sum: number, item: Json) => sum + writtenBytes(item),
      1 + countBytes(value.length),
    );
  }
  const entries = Object.entries(value);
  return entries.reduce(
    (sum, [key, item]) => sum + textBytes(key) + writtenBytes(item ?? null),
    1 + countBytes(entries.length),
  );
}

function isInt(value: number): boolean {
  return (value | 0) === value;
}

function isLong(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Bytes of a string: a length, then one to three bytes per UTF-16 unit. */
function textBytes(text: string): number {
  let bytes = countBytes(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return bytes;
}

/** Bytes of a variable-length integer, seven bits per byte. */
function countBytes(count: number): number {
  return count < 0x80 ? 1 : 1 + countBytes(count >>> 7);
}
