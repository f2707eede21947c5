/**
 * Records whose keys clients choose: names of fields, settings, aggregations, aliases, parameters.
 *
 * A plain object answers to the names of its prototype (`constructor`, `valueOf`) although nobody put them there, and an
 * assignment to `__proto__` changes the prototype in place of a member. Reads and writes by a computed key go through these
 * functions, so that every name is data. The lint rule `orrery/client-keys` refuses the others.
 */

/** The record's own member of that name. */
export function lookup<T>(
  record: { readonly [key: string]: T } | undefined,
  key: string,
): T | undefined {
  if (record === undefined) return undefined;
  const value = record[key]; // oxlint-disable-line orrery/client-keys -- asks `hasOwn` of what it found
  return value === undefined || Object.hasOwn(record, key) ? value : undefined;
}

/** Makes or replaces the record's own member of that name. */
export function setKey<T>(record: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    record[key] = value; // oxlint-disable-line orrery/client-keys -- the one name that is not data is handled above
  }
}

/** The members of another record, too; the later ones win. As `Object.assign`, which assigns to `__proto__`. */
export function setKeys<T>(
  record: { [key: string]: T },
  members: { readonly [key: string]: T } | undefined,
): void {
  for (const [key, value] of Object.entries(members ?? {})) setKey(record, key, value);
}
