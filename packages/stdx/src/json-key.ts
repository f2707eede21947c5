/** Names of members as JSON text, cached: answers repeat the same names. */

const known = new Map<string, string>();

/** Names may come from documents, without end; further ones are not cached. */
const MAX_CACHED = 4096;

/** JSON text of a member's name, with its colon: `"name":`. */
export function jsonKey(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const text = `${JSON.stringify(name)}:`;
  if (known.size < MAX_CACHED) known.set(name, text);
  return text;
}
