/** Adaptive replica selection: who is known to be slow comes later. */
import type { NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createReplicaSelection, type Observation } from "../src/replica-selection.ts";

const [a, b] = ["a" as NodeId, "b" as NodeId];
const fast: Observation = { queueSize: 0, responseTimeMs: 2, serviceTimeMs: 1 };

function observed(pairs: readonly (readonly [NodeId, Observation | undefined])[]) {
  const selection = createReplicaSelection();
  for (const [node, observation] of pairs) {
    selection.sent(node);
    selection.ended(node, observation);
  }
  return selection;
}

test("nothing is known of a node before it has answered", () => {
  const selection = observed([[a, undefined]]);

  expect([selection.rank(a), selection.rank(b)]).toEqual([undefined, undefined]);
});

test("the rank is the product's formula: R - S + q³ · S, with q from queue and outstanding requests", () => {
  const selection = observed([[a, { queueSize: 2, responseTimeMs: 10, serviceTimeMs: 4 }]]);
  const idle = selection.rank(a);
  selection.sent(a);

  // q = 1 + outstanding · clients + queue
  expect(idle).toBe(10 - 4 + 3 ** 3 * 4);
  expect(selection.rank(a)).toBe(10 - 4 + 4 ** 3 * 4);
  expect(selection.outstanding(a)).toBe(1);
});

test.each([
  ["a longer queue", { ...fast, queueSize: 5 }],
  ["a slower answer", { ...fast, responseTimeMs: 50 }],
  ["a longer service behind a queue", { queueSize: 1, responseTimeMs: 2, serviceTimeMs: 2 }],
])("%s ranks behind", (_name, slow) => {
  const selection = observed([
    [a, fast],
    [b, slow],
  ]);

  expect(selection.rank(b)).toBeGreaterThan(selection.rank(a) ?? 0);
});

test("a new observation counts for three tenths", () => {
  const selection = observed([
    [a, { queueSize: 0, responseTimeMs: 10, serviceTimeMs: 0 }],
    [a, { queueSize: 0, responseTimeMs: 20, serviceTimeMs: 0 }],
  ]);

  expect(selection.rank(a)).toBeCloseTo(13, 10);
});

test("a failure ends the request and says nothing about the speed", () => {
  const selection = observed([
    [a, fast],
    [a, undefined],
  ]);

  expect(selection.outstanding(a)).toBe(0);
  expect(selection.rank(a)).toBe(observed([[a, fast]]).rank(a));
});

test("a node that is forgotten is unknown again", () => {
  const selection = observed([[a, fast]]);

  selection.forget(a);

  expect([selection.rank(a), selection.outstanding(a)]).toEqual([undefined, 0]);
});
