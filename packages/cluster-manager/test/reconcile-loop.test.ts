/** The reconcile loop: its steps run again, in order, after every change. */
import { expect, test } from "vitest";
import { createReconcileLoop } from "../src/reconcile-loop.ts";

test("a change that a step makes leads to another round, from the first step on", () => {
  const ran: string[] = [];
  let isChanged = false;
  const reconcile = createReconcileLoop([
    () => void ran.push("first"),
    () => {
      ran.push("second");
      if (isChanged) return;
      isChanged = true;
      reconcile();
    },
    () => void ran.push("third"),
  ]);

  reconcile();

  expect(ran).toEqual(["first", "second", "third", "first", "second", "third"]);
});

test("a step that throws ends the round, and the next change begins another one", () => {
  let rounds = 0;
  const reconcile = createReconcileLoop([
    () => {
      rounds += 1;
      if (rounds === 1) throw new Error("the first round fails");
    },
  ]);

  expect(reconcile).toThrow("the first round fails");
  reconcile();

  expect(rounds).toBe(2);
});
