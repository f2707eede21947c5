/**
 * Values that one part of the program keeps on an object of another one, each under a key with a type: as `ContextKey` of connect-es.
 *
 * A key is made once for each thing that is kept and is compared by identity, so that two parts cannot meet by accident.
 */
export interface ValueKey<Value> {
  /** For people alone. */
  readonly name: string;
  /** Of an object that has none yet. */
  readonly create: () => Value;
}

export interface KeyedValues {
  /** Made when it is asked for first. */
  of<Value>(key: ValueKey<Value>): Value;
}

export function createKeyedValues(): KeyedValues {
  const values = new Map<ValueKey<unknown>, unknown>();
  return {
    of<Value>(key: ValueKey<Value>): Value {
      if (!values.has(key)) values.set(key, key.create());
      // What lies under a key was made by that key.
      return values.get(key) as Value;
    },
  };
}
