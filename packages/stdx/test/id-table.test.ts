/** The table does what a map does, whatever comes and goes. */
import { forSeeds } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createIdTable } from "../src/index.ts";

test("values are found by their ids, until they are taken out", () => {
  forSeeds(200, (random) => {
    const table = createIdTable<string>();
    const model = new Map<number, string>();
    const ids = [random.int(0, 40), 2 ** 32, 2 ** 53 - 1000];
    for (let step = 0; step < 300; step += 1) {
      const id = random.pick(ids) + random.int(0, random.pick([3, 40, 200]));
      if (random.int(0, 2) > 0) {
        table.set(id, `${id}:${step}`);
        model.set(id, `${id}:${step}`);
      } else {
        expect(table.delete(id)).toBe(model.get(id));
        model.delete(id);
      }
      expect(table.get(id)).toBe(model.get(id));
      expect(table.size).toBe(model.size);
    }

    const expected = [...model].toSorted(([a], [b]) => a - b).map(([, value]) => value);
    expect(table.values()).toEqual(expected);
    for (const [id, value] of model) expect(table.get(id)).toBe(value);
  });
});
