/** Readings of the elected cluster manager's state through a node that was removed meanwhile. */
import { initialState, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import type { Clock } from "@orrery/ports";
import { ReadIndexResponse } from "@orrery/protocol";
import { AssertionError, type NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createLocalState } from "../src/local-state.ts";
import { createManagerRequests } from "../src/manager-requests.ts";
import { createReads } from "../src/reads.ts";

const manager = node("manager");
const asked = node("asked");

test("a node that was removed answers with what it shows once it has joined again", async () => {
  const { read, apply } = reading({ safeIndex: 23 });
  apply(20, stateOf(20, manager, asked));

  const answer = read();
  apply(21, stateOf(21, manager));
  apply(23, stateOf(23, manager));
  await new Promise(setImmediate);
  apply(24, stateOf(24, manager, asked));

  expect((await answer).version).toBe(24);
});

test("a node that does not join again in time finds no elected cluster manager", async () => {
  const { read, apply, expire } = reading({ safeIndex: 23 });
  apply(20, stateOf(20, manager, asked));

  const refused = expect(read()).rejects.toMatchObject({
    problem: { type: "cluster_manager_not_discovered_exception", status: 503 },
  });
  apply(23, stateOf(23, manager));
  await new Promise(setImmediate);
  expire();

  await refused;
});

function reading({ safeIndex }: { readonly safeIndex: number }) {
  const timers = new Set<() => void>();
  const clock: Clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    setTimer: (_delayMs, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  };
  const options = { clock, localNode: asked, clusterName: "test" };
  const local = createLocalState({ ...options, blockedLevels: () => "metadata_write" });
  const reads = createReads(clock);
  const index = ReadIndexResponse.encode({ index: safeIndex }).finish();
  const unasked = (): never => {
    throw new AssertionError("only a reading is asked for");
  };
  const submission = { toManager: async () => index, submit: unasked, under: unasked };
  const requests = createManagerRequests({ clock, local, reads, submission });
  return {
    read: () => requests.managerState(1000),
    apply: (at: number, state: ClusterState) => {
      local.update(state, manager.id);
      reads.applied(at);
    },
    expire: () => {
      for (const fire of [...timers]) fire();
    },
  };
}

function stateOf(version: number, ...nodes: readonly DiscoveryNode[]): ClusterState {
  return {
    ...{ ...initialState("test"), version, managerNodeId: manager.id },
    nodes: new Map(nodes.map((one) => [one.id, one])),
  };
}

function node(name: string): DiscoveryNode {
  return {
    ...{ id: `${name}-id` as NodeId, name, ephemeralId: `${name}-1`, hostName: "127.0.0.1" },
    ...{ hostAddress: "127.0.0.1", transportAddress: `${name}:9300`, httpAddress: undefined },
    ...{ roles: ["cluster_manager", "data"], attributes: {}, version: "3.8.0" },
  };
}
