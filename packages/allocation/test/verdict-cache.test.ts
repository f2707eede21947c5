/** Answers that are kept for copies of one kind are those that each copy would get by itself. */
import { forSeeds, type Random } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createAllocation, type Allocation } from "../src/allocation.ts";
import { canAllocate, canAllocateAnywhere, canRemain } from "../src/deciders/ask.ts";
import {
  apply,
  copies,
  createIndex,
  initializing,
  inputsOf,
  node,
  setCluster,
  start,
  step,
  world,
  type World,
} from "./fixture.ts";

const nodes = ["n1", "n2", "n3"].map((name, i) =>
  node(name, { attributes: { zone: i % 2 === 0 ? "a" : "b" } }),
);

test("every question about every copy is answered as if it were the only one", () => {
  let kept = 0;
  forSeeds(25, (random) => {
    const made = world(...nodes);
    for (let i = 1; i <= 3; i += 1) createIndex(made, `i${i}`, random.int(1, 5), random.int(0, 1));
    for (let i = 0; i < 12; i += 1) {
      act(made, random);
      kept += compareAll(made);
    }
  });
  expect(kept).toBeGreaterThan(500);
});

/** How many questions were answered from what was kept. */
function compareAll(made: World): number {
  const shared = createAllocation(made.state, inputsOf(made));
  let asked = 0;
  for (const copy of copies(made)) {
    const alone = (): Allocation => createAllocation(made.state, inputsOf(made));
    if (copy.state === "UNASSIGNED") {
      asked += 1;
      expect(canAllocateAnywhere(shared, copy).type).toBe(canAllocateAnywhere(alone(), copy).type);
    }
    for (const { id } of made.state.nodes.values()) {
      const here = (allocation: Allocation) => {
        const found = allocation.routing.nodes.get(id);
        if (found === undefined) throw new Error("no such node");
        return found;
      };
      if (copy.state === "STARTED" && copy.nodeId !== id) continue;
      const ask = copy.state === "STARTED" ? canRemain : canAllocate;
      const own = alone();
      asked += 1;
      expect(ask(shared, copy, here(shared)).type).toBe(ask(own, copy, here(own)).type);
    }
  }
  const answered = [...shared.routing.verdicts.values()].reduce((sum, { size }) => sum + size, 0);
  return answered === 0 ? 0 : asked - answered;
}

function act(made: World, random: Random): void {
  made.nowMs += 1000;
  const [key, value] = random.pick([
    ["cluster.routing.allocation.total_shards_per_node", "3"],
    ["cluster.routing.allocation.enable", "primaries"],
    ["cluster.routing.allocation.awareness.attributes", "zone"],
    ["cluster.routing.allocation.exclude._name", "n2"],
    ["cluster.routing.allocation.node_initial_primaries_recoveries", "1"],
  ] as const);
  setCluster(made, { [key]: random.int(0, 2) === 0 ? null : value });
  const [, second] = nodes;
  if (random.int(0, 5) === 0 && second !== undefined && made.state.nodes.has(second.id)) {
    apply(made, { kind: "node-left", nodeId: second.id, reason: "disconnected" });
    step(made);
    apply(made, { kind: "node-join", node: { ...second, ephemeralId: `e${random.int(1, 1e6)}` } });
  }
  const failed = initializing(made)
    .filter(() => random.int(0, 5) === 0)
    .map((routing) => ({ routing, message: "x", markAsStale: false }));
  step(made, { failed });
  start(
    made,
    initializing(made).filter(() => random.int(0, 1) === 0),
  );
}
