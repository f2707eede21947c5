/**
 * Records whose keys clients choose: names of fields, settings, aggregations, aliases, parameters.
 *
 * A plain object has the members of its prototype (`constructor`, `valueOf`) without anybody having set them, and an
 * assignment to `__proto__` changes the prototype. Reads and writes by a computed key use these functions, so that
 * every name is data. The lint rule `orrery/client-keys` refuses others.
 */

/** The record's own member of this name, never one of its prototype; `undefined`: the record has no such member. */
export function lookup<T>(
  record: { readonly [key: string]: T } | undefined,
  key: string,
): T | undefined {
  if (record === undefined) return undefined;
  const value = record[key]; // oxlint-disable-line orrery/client-keys -- asks `hasOwn` of what it found
  return value === undefined || Object.hasOwn(record, key) ? value : undefined;
}

/** Sets the record's own member of this name. The name `__proto__` is a member like any other. */
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

/** Sets the members of another record, replacing those of the same name, like `Object.assign` but for `__proto__`. */
export function setKeys<T>(
  record: { [key: string]: T },
  members: { readonly [key: string]: T } | undefined,
): void {
  for (const [key, value] of Object.entries(members ?? {})) setKey(record, key, value);
}
