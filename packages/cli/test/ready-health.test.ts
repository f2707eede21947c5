/** The health with which a started cluster is called ready. */
import { expect, test } from "vitest";
import { readyHealth, type ReportedHealth } from "../src/ready-health.ts";
import { fakeNode } from "./fake-nodes.ts";

const never = new Promise<void>(() => undefined);

test("a cluster that becomes green is ready at once", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const ask = async (): Promise<ReportedHealth> => ({ health: "red", isAtRest: true });

  expect(
    await readyHealth({ green: Promise.resolve(), members }, { patienceMs: 60_000, ask }),
  ).toBe("green");
});

test("one at rest is ready with the health that it has, once all nodes serve", async () => {
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
      ask: async ({ plan }, nodeCount) => {
        asked.push(`${plan.name} of ${nodeCount}, ${second.status}`);
        return { health: "yellow", isAtRest: true };
      },
    },
  );
  await second.start("serving");

  expect(await health).toBe("yellow");
  expect(asked).toEqual(["node-1 of 2, up"]);
});

test("one that still recovers is not ready before it rests", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const reports: ReportedHealth[] = [
    { health: "red", isAtRest: false },
    { health: "yellow", isAtRest: false },
    { health: "yellow", isAtRest: true },
  ];
  const ask = async (): Promise<ReportedHealth> =>
    reports.shift() ?? { health: "red", isAtRest: true };

  expect(await readyHealth({ green: never, members }, { patienceMs: 1, ask })).toBe("yellow");
  expect(reports).toEqual([]);
});

test("one that never rests is ready after a longer time", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const ask = async (): Promise<ReportedHealth> => ({ health: "red", isAtRest: false });

  const options = { patienceMs: 1, restPatienceMs: 2, ask };
  expect(await readyHealth({ green: never, members }, options)).toBe("red");
});

test("a node that cannot start is no health", async () => {
  const members = new Map([[1, fakeNode("node-1")]]);
  const green = Promise.reject(new Error("the port is in use"));

  await expect(readyHealth({ green, members })).rejects.toThrow("the port is in use");
});
