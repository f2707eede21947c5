/** The matchers with the types and the messages of vitest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeClustersAfter, withCluster } from "../src/index.ts";

closeClustersAfter({ afterAll });
beforeAll(() => import("../src/matchers.ts"));

test(
  "are members of vitest's assertions",
  { timeout: 60_000 },
  withCluster(async (cluster) => {
    const body = { title: "A book" };
    const put = await cluster.request("PUT", "/books/_doc/1?wait_for_active_shards=all", { body });
    expect(put).toHaveAcknowledged();
    await cluster.crash("node-2");

    await expect(cluster).toBeGreen();
    await expect(cluster).toHaveClusterManager();
    await expect(cluster).toHaveDocument("books", "1", body);
    await expect(cluster).not.toHaveDocument("books", "1", { title: "Another" });
    await expect(cluster).not.toBeGreen({ index: "missing" });
    expect(() => expect(put).not.toHaveAcknowledged()).toThrow(
      "expected the write not to be acknowledged",
    );
  }),
);
