/** Indices sorted by their keys: few or many, one key or two, always stable and unsigned. */
import { createRandom } from "@orrery/stdx";
import { expect, test } from "vitest";
import { sortByKeys } from "../src/radix-sort.ts";

test("as many as there are, few or many, come in the order of their unsigned keys, equal ones as they were", () => {
  const random = createRandom("radix-sort");
  for (let count = 0; count < 80; count += 1) {
    const draw = (): number =>
      random.pick([random.int(0, 3), -1, random.int(-(2 ** 31), 2 ** 31 - 1)]);
    const low = Int32Array.from({ length: count }, draw);
    const high = random.int(0, 1) === 0 ? undefined : Int32Array.from({ length: count }, draw);
    const expected = Array.from({ length: count }, (_, i) => i).toSorted(
      (a, b) =>
        ((high?.[a] ?? 0) >>> 0) - ((high?.[b] ?? 0) >>> 0) ||
        ((low[a] ?? 0) >>> 0) - ((low[b] ?? 0) >>> 0) ||
        a - b,
    );
    expect([...sortByKeys(count, low, high)]).toEqual(expected);
  }
});
