/**
 * The prototypes that the language makes, closed: a key of a client that went wrong cannot put a member into every object.
 *
 * They are not frozen: libraries assign `toString` and `constructor` to objects of their own, which a frozen prototype refuses.
 * Composition roots call this before they load anything else.
 */

/** No member can be added from now on. A simulation lives among the programs of others, so it takes nothing away. */
export function closePrototypes(): void {
  for (const prototype of builtInPrototypes()) {
    // The engine takes its fast ways through `split`, `replace` and `matchAll` while this one is as it was made: they become ten times
    // slower. No client value is an expression, so no key of a client can lead here.
    if (prototype !== RegExp.prototype) Object.preventExtensions(prototype);
  }
}

/**
 * The same in a process or thread of this project alone, where `__proto__` is a name like any other besides: what
 * `--disable-proto=delete` does to a process.
 */
export function closeRealm(): void {
  closePrototypes();
  Reflect.deleteProperty(Object.prototype, "__proto__");
}

/** Of constructors by name, and those that only an instance leads to. */
export function builtInPrototypes(): readonly object[] {
  const constructors = [
    ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, RegExp, Promise],
    ...[Map, Set, WeakMap, WeakSet, WeakRef, FinalizationRegistry],
    ...[
      Error,
      AggregateError,
      EvalError,
      RangeError,
      ReferenceError,
      SyntaxError,
      TypeError,
      URIError,
    ],
    ...[ArrayBuffer, DataView, Int8Array, Uint8Array, Uint8ClampedArray],
    ...[Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array],
    ...[BigInt64Array, BigUint64Array],
    // Not every page of a browser has it.
    ...("SharedArrayBuffer" in globalThis ? [SharedArrayBuffer] : []),
  ];
  const instances = [
    ...[[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator]()],
    ...[
      "".matchAll(/(?:)/g),
      async () => undefined,
      function* none() {}, // oxlint-disable-line orrery/inner-generators -- made once
      async function* none() {}, // oxlint-disable-line orrery/inner-generators -- made once
    ],
  ];
  const found = new Set<object>(constructors.map(({ prototype }) => prototype as object));
  for (const instance of instances) addChain(found, instance);
  addChain(found, new Uint8Array());
  return [...found];
}

/** The prototypes of an object, up to the one of all. */
function addChain(found: Set<object>, instance: object): void {
  let prototype: unknown = Object.getPrototypeOf(instance);
  while (typeof prototype === "object" && prototype !== null) {
    found.add(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
}
