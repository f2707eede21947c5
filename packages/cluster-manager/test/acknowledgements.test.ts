/** Acknowledgements: which nodes an entry waits for. */
import { initialState, type DiscoveryNode } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createAcknowledgements, type Acknowledgements } from "../src/acknowledgements.ts";

const node = (name: string): [NodeId, DiscoveryNode] => {
  const id = name as NodeId;
  return [id, { ...({} as DiscoveryNode), id, name }];
};
const stateOf = (...names: readonly string[]) => ({
  ...initialState("test"),
  nodes: new Map(names.map(node)),
});

function begin(...names: readonly string[]): Acknowledgements {
  return createAcknowledgements({
    begin: { index: 7, nodes: stateOf(...names).nodes },
    clock: { nowMs: () => 0, monotonicMs: () => 0, setTimer: () => () => undefined },
    localId: "a" as NodeId,
    lagTimeoutMs: () => 1000,
    lagging: () => undefined,
  });
}

/** The outcome at this moment. */
async function outcomeOf(waiting: Promise<boolean>): Promise<boolean | "waits"> {
  return Promise.race([waiting, Promise.resolve().then(() => "waits" as const)]);
}

describe("an entry", () => {
  test("of an earlier term waits for the nodes of the state with which the term begins", async () => {
    const acknowledgements = begin("a", "b");

    const waiting = acknowledgements.wait(5, -1);
    expect(await outcomeOf(waiting)).toBe("waits");

    acknowledgements.report("b" as NodeId, 5);
    expect(await waiting).toBe(true);
  });

  test("does not wait for the elected node itself, which has applied it", async () => {
    expect(await begin("a").wait(7, -1)).toBe(true);
  });

  test("does not wait for a node that leaves the state", async () => {
    const acknowledgements = begin("a", "b");
    const waiting = acknowledgements.wait(5, -1);

    acknowledgements.applied(8, stateOf("a"));

    expect(await waiting).toBe(true);
  });
});
