/**
 * The typed key of values that one part of the program keeps on objects of another part, like `ContextKey` of
 * connect-es. Keys are made once and compared by identity, so that two parts cannot share one by accident.
 */
export interface ValueKey<Value> {
  /** For debugging alone. */
  readonly name: string;
  /** The value of an object that has none yet. */
  readonly create: () => Value;
}

/** The values that parts of the program keep on one object. */
export interface KeyedValues {
  /** The value of the key, created at its first use. */
  of<Value>(key: ValueKey<Value>): Value;
}

export function createKeyedValues(): KeyedValues {
  const values = new Map<ValueKey<unknown>, unknown>();
  return {
    of<Value>(key: ValueKey<Value>): Value {
      if (!values.has(key)) values.set(key, key.create());
      // The value under a key was created by that key.
      return values.get(key) as Value;
    },
  };
}
