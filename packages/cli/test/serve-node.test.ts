/** When a cluster that was started is said to be there. */
import type { Cluster } from "@orrery/node";
import { expect, test } from "vitest";
import { untilGreen } from "../src/serve-node.ts";

type State = ReturnType<Cluster["state"]>;

/** Whether a node that shows these global blocks, and lacks nothing else, is waited for. */
async function isAwaited(...global: readonly { readonly disableStatePersistence: boolean }[]) {
  let isReached = false;
  const state = {
    managerNodeId: "n",
    nodes: new Map([["n", {}]]),
    blocks: { global },
    routingTable: new Map(),
  } as unknown as State;
  const stateWhen = (reached: (state: State) => boolean) => {
    isReached = reached(state);
    return Promise.resolve();
  };
  await untilGreen({ stateWhen } as unknown as Cluster, 1);
  return !isReached;
}

test("a read-only cluster is there; one whose state is not recovered is not yet", async () => {
  expect(await isAwaited()).toBe(false);
  expect(await isAwaited({ disableStatePersistence: false })).toBe(false);
  expect(await isAwaited({ disableStatePersistence: true })).toBe(true);
});
