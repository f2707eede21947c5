/** The health with which a started cluster is called ready. */
import { expect, test } from "vitest";
import { readyHealth } from "../src/ready-health.ts";
import { fakeNode } from "./fake-nodes.ts";

const never = new Promise<void>(() => undefined);

test("a cluster that becomes green is ready at once", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const ask = async (): Promise<"red"> => "red";

  expect(await readyHealth({ green: Promise.resolve(), members }, { patienceMs: 1, ask })).toBe(
    "green",
  );
});

test("one that cannot become green is ready with the health that it has, once all nodes serve", async () => {
  const [first, second] = [fakeNode("node-1"), fakeNode("node-2")];
  await second.kill();
  const members = new Map([
    [1, first],
    [2, second],
  ]);
  const asked: string[] = [];

  const health = readyHealth(
    { green: never, members },
    {
      patienceMs: 1,
      ask: async ({ plan }) => {
        asked.push(`${plan.name}, ${second.status}`);
        return "yellow";
      },
    },
  );
  await second.start("serving");

  expect(await health).toBe("yellow");
  expect(asked).toEqual(["node-1, up"]);
});

test("a node that cannot start is no health", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const green = Promise.reject(new Error("the port is in use"));

  await expect(readyHealth({ green, members })).rejects.toThrow("the port is in use");
});
