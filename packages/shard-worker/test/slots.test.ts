/** Room for a few: nobody is let in too many, and nobody before its turn. */
import { expect, test } from "vitest";
import { createSlots } from "../src/snapshot/slots.ts";

test("so many are in at a time, and whoever waits comes in in turn", async () => {
  const slots = createSlots(2);
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (name: string): Promise<void> => {
    leaves.set(name, await slots.enter());
    inside.push(name);
  };
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  const all = ["a", "b", "c", "d"].map(enter);
  await turns();
  expect(inside).toEqual(["a", "b"]);

  leaves.get("b")?.();
  await turns();
  expect(inside).toEqual(["a", "b", "c"]);

  leaves.get("a")?.();
  leaves.get("c")?.();
  await Promise.all(all);
  expect(inside).toEqual(["a", "b", "c", "d"]);
});
