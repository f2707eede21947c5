/** Detection of prototype pollution: built-in prototypes are compared with their state at the start of the process. */

const watched: readonly (readonly [name: string, prototype: object])[] = [
  ["Object", Object.prototype],
  ["Array", Array.prototype],
  ["Function", Function.prototype],
  ["String", String.prototype],
  ["Number", Number.prototype],
  ["Boolean", Boolean.prototype],
  ["Map", Map.prototype],
  ["Set", Set.prototype],
  ["Error", Error.prototype],
  ["Promise", Promise.prototype],
  ["Uint8Array", Uint8Array.prototype],
  ["Object itself", Object],
];

const before = watched.map(([, prototype]) => new Set(Reflect.ownKeys(prototype)));

/**
 * Removes members that were added to built-in prototypes. Returns a description of one change; `undefined` if there was
 * none.
 */
export function changedPrototype(): string | undefined {
  for (const [i, [name, prototype]] of watched.entries()) {
    const keys = Reflect.ownKeys(prototype);
    if (keys.length === before[i]?.size) continue;
    const added = keys.filter((key) => before[i]?.has(key) === false);
    // A removed member is no pollution.
    if (added.length === 0) continue;
    for (const key of added) Reflect.deleteProperty(prototype, key);
    return `${name} has got ${added.map(String).join(", ")}`;
  }
  return undefined;
}
