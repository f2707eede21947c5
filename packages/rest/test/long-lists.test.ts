/** Lists longer than the arguments of a call may be are read like others. */
import { expect, test } from "vitest";
import { fakeCluster, send } from "./fake-cluster.ts";

/** More than fit on the stack of a thread. */
const LENGTH = 600_000;

test.each([
  ["documents", "docs", '{"_id":"1"}'],
  ["ids", "ids", '"1"'],
])("a multi-get of many %s asks for each", async (_, key, item) => {
  const { cluster, asked } = fakeCluster({ multiGet: [] });

  const { status } = await send(cluster, "POST /books/_mget", {
    body: `{"${key}":[${item}${`,${item}`.repeat(LENGTH - 1)}]}`,
  });

  expect(status).toBe(200);
  const requests = asked.find(({ method }) => method === "multiGet")
    ?.argument as readonly unknown[];
  expect(requests).toHaveLength(LENGTH);
  expect(requests.at(-1)).toMatchObject({ index: "books", id: "1" });
});
