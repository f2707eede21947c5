/**
 * The language's prototypes, closed: a client's key that escapes `client-keys.ts` cannot add a member to every
 * object. They are not frozen: libraries assign `toString` and `constructor` to their own objects, which a frozen
 * prototype prevents. Composition roots call this before they load anything else.
 */

/**
 * Prevents new members on the built-in prototypes, except that of `RegExp`. Existing members stay, because a simulation
 * runs inside programs that are not ours and may need them.
 */
export function closePrototypes(): void {
  for (const prototype of builtInPrototypes()) {
    // Engines have fast paths for `split`, `replace` and `matchAll` while this prototype is as it was made; without
    // them they are ten times slower. No client value is an expression, so no client's key leads here.
    if (prototype !== RegExp.prototype) Object.preventExtensions(prototype);
  }
}

/**
 * Calls `closePrototypes`, and makes `__proto__` an ordinary name, as the flag `--disable-proto=delete` does. For
 * processes and threads that run this project alone.
 */
export function closeRealm(): void {
  closePrototypes();
  Reflect.deleteProperty(Object.prototype, "__proto__");
}

/**
 * The prototypes of the built-in constructors, and those that are reachable only through an instance, such as an
 * iterator's.
 */
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

/** Adds the prototypes of an object, up to that of all objects. */
function addChain(found: Set<object>, instance: object): void {
  let prototype: unknown = Object.getPrototypeOf(instance);
  while (typeof prototype === "object" && prototype !== null) {
    found.add(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
}
