/** The estimated memory of a hit until it is sent. */
import type { Hit } from "../language/hits.ts";
import type { Plain } from "../json/plain.ts";

/** The bytes of a hit without its id, source, and values. */
const HIT_BYTES = 512;

const VALUE_BYTES = 16;

/** Returns the estimated bytes of a hit, each character counted as one. */
export function hitBytes({ id, source, sort, details }: Hit): number {
  const bytes = HIT_BYTES + (id?.length ?? 0) + (source?.length ?? 0);
  return bytes + valueBytes(sort) + (details === undefined ? 0 : valueBytes({ ...details }));
}

function valueBytes(value: Plain | object): number {
  if (typeof value === "string") return VALUE_BYTES + value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = VALUE_BYTES;
  if (Array.isArray(value)) {
    for (const item of value as readonly Plain[]) bytes += VALUE_BYTES + valueBytes(item);
    return bytes;
  }
  for (const [key, item] of Object.entries(value))
    bytes += key.length + valueBytes(item as Plain | object);
  return bytes;
}
