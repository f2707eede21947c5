/** INV-STORE-3: a store is one node's, and says whose. */
import { nodeIdName, nodeNameName } from "@orrery/ports";
import { createRandom, type OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { createMemoryNodeStore } from "@orrery/storage";
import { expect, test } from "vitest";
import { nodeIdentity } from "../src/identity.ts";

const hostWith = (store = createMemoryNodeStore(), seed = "1") => ({
  store,
  random: (purpose: string) => createRandom(`${seed}:${purpose}`),
});

test("a new store gets an id and the node's name, and keeps both", async () => {
  const { store, random } = hostWith();

  const id = await nodeIdentity({ store, random }, "node-1");
  const again = await nodeIdentity(hostWith(store, "2"), "node-1");

  expect(again).toBe(id);
  const { values } = store.load();
  expect(utf8Decode(values.get(nodeNameName) ?? new Uint8Array())).toBe("node-1");
});

test("a store without a name is this node's from now on", async () => {
  const store = createMemoryNodeStore();
  await store.write({ values: new Map([[nodeIdName, utf8Encode("an-id")]]) });

  expect(await nodeIdentity(hostWith(store), "node-1")).toBe("an-id");
  expect(store.load().values.has(nodeNameName)).toBe(true);
});

test("the store of another node is refused, in a sentence that says what to do", async () => {
  const store = createMemoryNodeStore();
  const id = await nodeIdentity(hostWith(store), "node-1");

  const error: unknown = await nodeIdentity(hostWith(store), "node-2").catch((e: unknown) => e);

  const { reason } = (error as OperationError).problem;
  expect(reason).toContain("this data folder is of node [node-1]");
  expect(reason).toContain(`with the id [${id}]`);
  expect(reason).toContain("[orrery node repair node-2 --data DIR --rename]");
});
