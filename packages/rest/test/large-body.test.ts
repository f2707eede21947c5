/** A large body is read in turns, between which the node does other things, and is answered as a small one is. */
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { fakeCluster, send } from "./fake-cluster.ts";

/** Each look at its clock takes a millisecond; what waits goes on at once, and is counted. */
function slowCluster(answers: Readonly<Record<string, unknown>> = {}) {
  let nowMs = 0;
  let turns = 0;
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += 1),
    setTimer: (_: number, goOn: () => void) => {
      turns += 1;
      queueMicrotask(goOn);
      return () => undefined;
    },
  };
  const { cluster, asked } = fakeCluster(answers, { clock });
  return { cluster, asked, turns: () => turns };
}

const large = "a".repeat(2_000_000);

describe("a large body", () => {
  test("that is wrong is refused as a small one, in turns", async () => {
    const { cluster, turns } = slowCluster();

    const small = await send(cluster, "POST /_search", { body: `{"size":1,\n"ü":1,"x":"a"}` });
    expect(turns()).toBe(0);
    const refused = await send(cluster, "POST /_search", {
      body: `{"size":1,\n"ü":1,"x":"${large}"}`,
    });

    expect(refused.status).toBe(400);
    expect(refused.json).toEqual(small.json);
    expect(turns()).toBeGreaterThan(2);
  });

  test("that is no JSON is refused by the operation that reads it", async () => {
    const { cluster, turns } = slowCluster();

    const { json } = await send(cluster, "PUT /books/_mapping", { body: `{"x":"${large}",}` });

    expect(json).toMatchObject({
      error: {
        type: "parse_exception",
        reason: "Failed to parse content to map",
        caused_by: { type: "json_parse_exception" },
      },
    });
    expect(turns()).toBeGreaterThan(2);
  });

  test("with parameters that are unknown is refused, too", async () => {
    const { cluster } = slowCluster();

    const { json } = await send(cluster, "POST /_search?sizes=1", {
      body: `{"stats":["${large}"]}`,
    });

    expect(JSON.stringify(json)).toContain("contains unrecognized parameter: [sizes]");
  });

  test("that is a document is passed on as it came, unread", async () => {
    const { cluster, asked, turns } = slowCluster({ write: new Error("as far as it goes") });
    const body = utf8Encode(`{"x":"${large}"`);

    await send(cluster, "PUT /books/_doc/1", { body });

    expect(asked.find(({ method }) => method === "write")?.argument).toMatchObject({
      source: body,
    });
    expect(turns()).toBe(0);
  });
});
