/** What is no task is told from what is one, whatever it is. */
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  checkState,
  decodeEntry,
  encodeEntry,
  encodeState,
  initialState,
  nodeProblem,
  readEntry,
  taskProblem,
  type Task,
} from "../src/index.ts";
import { cluster, creation, node } from "./fixture.ts";

const tasks: readonly Task[] = [
  creation(cluster(node("n1")), "books"),
  { kind: "node-join", node: node("n1") },
  { kind: "update-cluster-settings", persistent: { a: null, b: ["x"] }, transient: { c: "y" } },
  { kind: "follow-repositories" },
];

test("a task fits after it was written and read", () => {
  for (const task of tasks) {
    const [read] = decodeEntry(encodeEntry({ tasks: [task] })).tasks;
    expect(taskProblem(read)).toBeUndefined();
  }
});

test("a task without one of the fields it must have is refused by the name of the field", () => {
  const [, join] = tasks;
  const { id: _, ...nameless } = node("n1");

  expect(taskProblem({ ...join, node: nameless })).toMatchObject({
    reason: "malformed cluster state update [node-join]: [node.id] is not what it should be",
    status: 400,
  });
});

test("a task of which one field is something else is refused, and nothing else happens", () => {
  forSeeds(300, (random) => {
    const task = random.pick(tasks);
    const key = random.pick(Object.keys(task));
    const broken = { ...task, [key]: anything(random) };

    const bytes = encodeEntry({ tasks: [broken as unknown as Task] });
    try {
      readEntry(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(OperationError);
    }
  });
});

test("bytes that are no entry and no state are refused as what somebody sent", () => {
  forSeeds(300, (random) => {
    const whole = encodeState(initialState("c"));
    const cut = whole.slice(0, random.int(0, whole.length - 1));
    for (const bytes of [random.bytes(random.int(0, 40)), cut, utf8Encode("\u0001{}")]) {
      expect(() => readEntry(bytes)).toThrow(OperationError);
      expect(() => checkState(bytes)).toThrow(OperationError);
    }
  });
  expect(() => checkState(encodeState(initialState("c")))).not.toThrow();
});

test("a node that cannot be named, or connected to, is none", () => {
  expect(nodeProblem(node("n1"))).toBeUndefined();
  for (const more of [{ id: "" }, { transportAddress: "" }, { name: "x".repeat(5000) }])
    expect(nodeProblem({ ...node("n1"), ...more })).toBeDefined();
  for (const other of [undefined, null, 7, "n1", [], { id: "x" }])
    expect(nodeProblem(other)).toBeDefined();
});

function anything(random: Random): unknown {
  return random.pick<unknown>([
    ...[undefined, null, true, 0, -1, 0.5, 1e300, "", "x", [], [null], {}, { a: 1 }],
    JSON.parse('{"__proto__":{"kind":"x"}}'),
  ]);
}
