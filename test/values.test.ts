/** Values at the edges of what a search or a document may hold, answered as OpenSearch 3.8.0 answered them. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

interface Answered {
  readonly name: string;
  readonly request: string;
  readonly body: string;
  readonly status: number;
  /** Of the first root cause. */
  readonly type?: string;
  readonly reason?: string;
}

const answers = JSON.parse(
  readFileSync(new URL("answers/values.json", import.meta.url), "utf8"),
) as readonly Answered[];

let cluster: SimulatedCluster;

beforeAll(async () => {
  cluster = simulatedCluster(1, ["node-1"]);
  cluster.start("node-1");
  await cluster.until(() => cluster.isFormed(["node-1"]));
  const properties = {
    t: { type: "text" },
    k: { type: "keyword" },
    n: { type: "long" },
    d: { type: "date" },
    es: { type: "date", format: "epoch_second" },
    em: { type: "date", format: "epoch_millis" },
    g: { type: "geo_point" },
    c: { type: "nested", properties: { t: { type: "text" }, n: { type: "long" } } },
  };
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await cluster.ask("node-1", "PUT /p", { settings, mappings: { properties } });
  for (let i = 0; i < 5; i += 1)
    await cluster.ask("node-1", `PUT /p/_doc/${i}`, {
      t: `quick brown fox ${i}`,
      k: `k${i % 2}`,
      n: i,
      d: `2020-01-0${i + 1}`,
      g: { lat: i, lon: i },
      c: [
        { t: "quick", n: i },
        { t: "slow", n: i + 1 },
      ],
    });
  await cluster.ask("node-1", "POST /p/_refresh");
});

afterAll(() => cluster.simulation.end());

test.each(answers.map((answer) => [answer.name, answer] as const))("%s", async (_, answer) => {
  const told = await cluster.ask("node-1", answer.request, answer.body);

  const { root_cause: [root] = [] } = (told.json["error"] ?? {}) as {
    root_cause?: readonly { readonly type: string; readonly reason: string }[];
  };
  expect({ status: told.status, type: root?.type }).toEqual({
    status: answer.status,
    type: answer.type,
  });
  const reason = root?.reason
    .split("\n")[0]
    ?.replace(/document with id '[^']*'/, "document with id '…'");
  if (answer.reason?.startsWith("negative [boost]") === true)
    expect(reason).toContain(answer.reason);
  else expect(reason).toBe(answer.reason);
});
