/** The order in which Java's `HashMap` names its keys: messages of the product print maps in it. */

const smallestTable = 16;

/** Keys in the order they were put in. */
export function inHashOrder(keys: readonly string[]): readonly string[] {
  let size = smallestTable;
  while (keys.length > size * 0.75) size *= 2;
  const bucketOf = (key: string): number => {
    const hash = hashCode(key);
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return keys.toSorted((a, b) => bucketOf(a) - bucketOf(b));
}

/** `String.hashCode` */
function hashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}
