/** The iteration order of Java's `HashMap`, in which messages of the product list maps. */

/** Buckets of a new map; they double at three quarters. */
const smallestTable = 16;

/** The keys in the iteration order of a `HashMap` into which they were inserted in the given order. */
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
