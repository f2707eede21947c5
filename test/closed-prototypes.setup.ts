/** No test file leaves a member in the prototypes of the language, or takes one away: compared before and after each. */
import { builtInPrototypes } from "@orrery/stdx";
import { afterAll, expect } from "vitest";

/** By identity: what is put in the place of a method shows, too. */
function membersOf(prototype: object): ReadonlyMap<PropertyKey, unknown> {
  const names = Reflect.ownKeys(prototype);
  return new Map(
    names.map((name) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      return [name, value ?? get ?? set];
    }),
  );
}

function changesOf(prototype: object, before: ReadonlyMap<PropertyKey, unknown>): string[] {
  const now = membersOf(prototype);
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name)).map(String);
}

const before = builtInPrototypes().map((prototype) => ({
  prototype,
  members: membersOf(prototype),
}));

afterAll(() => {
  expect(before.flatMap(({ prototype, members }) => changesOf(prototype, members))).toEqual([]);
});
