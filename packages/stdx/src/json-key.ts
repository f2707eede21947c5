/** Names of members as JSON text, each made once: answers have the same ones again and again. */

const known = new Map<string, string>();

/** Names can come from documents: there is no end of those. */
const MOST_KNOWN = 4096;

/** The name in quotes and a colon. */
export function jsonKey(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const text = `${JSON.stringify(name)}:`;
  if (known.size < MOST_KNOWN) known.set(name, text);
  return text;
}
