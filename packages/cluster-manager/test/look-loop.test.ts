/** Questions that are asked again whenever something has changed. */
import { expect, test } from "vitest";
import { createLookLoop } from "../src/look-loop.ts";

test("a change that an answer brings about is looked at after the round, from the first question on", () => {
  const asked: string[] = [];
  let isChanged = false;
  const look = createLookLoop([
    () => void asked.push("first"),
    () => {
      asked.push("second");
      if (isChanged) return;
      isChanged = true;
      look();
    },
    () => void asked.push("third"),
  ]);

  look();

  expect(asked).toEqual(["first", "second", "third", "first", "second", "third"]);
});

test("a question that throws ends the round, and the next change begins another one", () => {
  let rounds = 0;
  const look = createLookLoop([
    () => {
      rounds += 1;
      if (rounds === 1) throw new Error("the first round fails");
    },
  ]);

  expect(look).toThrow("the first round fails");
  look();

  expect(rounds).toBe(2);
});
