/** The control port: nodes stopped, started and killed by number, and mistakes answered. */
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveControl } from "../src/control.ts";
import type { RunningCluster } from "../src/running-cluster.ts";
import { UsageError } from "../src/usage.ts";

let done: string[];
let server: Server;

const check = (number: number): void => {
  if (number > 3) throw new UsageError(`there is no node [${number}]`);
};

const cluster: RunningCluster = {
  nodes: [],
  green: Promise.resolve(),
  // Throws at once, as looking up a node does.
  stopNode: (number) => {
    check(number);
    done.push(`stop ${number}`);
    return Promise.resolve();
  },
  startNode: async (number) => {
    check(number);
    done.push(`start ${number}`);
  },
  killNode: async (number) => void done.push(`kill ${number}`),
  stop: async () => undefined,
};

beforeEach(async () => {
  done = [];
  server = await serveControl(0, cluster);
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function ask(path: string, method = "GET"): Promise<readonly [number, unknown]> {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return [answer.status, await answer.json()];
}

test("each verb reaches the node it names", async () => {
  const answers = [await ask("/stop/2"), await ask("/start/3"), await ask("/kill/1")];

  expect(answers).toEqual(Array.from({ length: 3 }, () => [200, { acknowledged: true }]));
  expect(done).toEqual(["stop 2", "start 3", "kill 1"]);
});

test.each(["/stop/9", "/start/9"])("%s names a node that is not there", async (path) => {
  expect(await ask(path)).toEqual([400, { error: "there is no node [9]" }]);
  expect(await ask("/stop/1")).toEqual([200, { acknowledged: true }]);
});

test.each(["/", "/stop", "/stop/", "/stop/x", "/stop/-1", "/explode/1", "/constructor/1"])(
  "%s is answered with what is expected",
  async (path) => {
    const [status, body] = await ask(path);

    expect(status).toBe(404);
    expect(body).toEqual({
      error: "expected GET /stop|/start|/kill and a node's number, such as /stop/2",
    });
  },
);

test("only GET does something", async () => {
  expect((await ask("/stop/1", "POST"))[0]).toBe(404);
  expect(done).toEqual([]);
});

test("a port that is taken is one sentence", async () => {
  const { port } = server.address() as AddressInfo;

  await expect(serveControl(port, cluster)).rejects.toThrow(
    new UsageError(`the control port [${port}] is taken`),
  );
});
