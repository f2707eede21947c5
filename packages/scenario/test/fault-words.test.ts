/** A fault in words, as traces and reports have it. */
import { expect, test } from "vitest";
import { describeFault } from "../src/fault-shape.ts";
import type { Fault } from "../src/faults/fault.ts";

const links = { kind: "delay", lowMs: 0, highMs: 50 } as const;

test.each<[string, Fault, readonly string[]]>([
  ["node-2", { kind: "crash", node: "node-2" }, ["node-2"]],
  ["node-2 (node any)", { kind: "crash", node: "any" }, ["node-2"]],
  [
    "follow-1, follow-2 (isolate all@follow)",
    { kind: "partition", isolate: "all@follow" },
    ["follow-1", "follow-2"],
  ],
  ["all (high 50ms)", links, ["all"]],
  [
    "node-1 -> node-2, node-3 (sender node-1, high 50ms)",
    { ...links, sender: "node-1" },
    ["node-1", "->", "node-2", "node-3"],
  ],
  ["per_second 300", { kind: "manager-overload", perSecond: 300 }, []],
])("%s", (words, fault, targets) => {
  expect(describeFault(fault, targets)).toBe(words);
});
