/** Links between nodes: who may talk to whom, and what becomes of requests when a link is lost. */
import { encodeFrame, frameVersion, type Connection, type NetworkRule } from "@orrery/ports";
import { OperationError, utf8Decode, utf8Encode, type NodeId, type Problem } from "@orrery/stdx";
import { expect, test } from "vitest";
import { acceptingHandshake, connectingHandshake, handshakeAction } from "../src/handshake.ts";
import { createTestWorld, discoveryNode, trustOf, type TestWorld } from "./world.ts";

const text = utf8Encode;

async function twoNodes(seed = 1) {
  const world = createTestWorld(seed);
  const a = await world.start("a");
  const b = await world.start("b");
  return { world, a, b };
}

function problemOf(outcome: unknown): Problem {
  if (!(outcome instanceof OperationError)) throw new Error(`no problem: ${String(outcome)}`);
  return outcome.problem;
}

/** A connection at `to` that speaks for itself, and what comes back on it. */
async function stranger(world: TestWorld, to: string) {
  const frames: Uint8Array[] = [];
  const closed: string[] = [];
  const connection: Connection = world.network("stranger").connect(to, "reg", {
    onFrame: (frame) => void frames.push(frame),
    onClose: (reason) => void closed.push(reason),
  });
  await world.run(100);
  return { connection, frames, closed };
}

const cutOff: NetworkRule = { kind: "cut", links: { from: ["a"], to: ["b"], both: true } };

test("a handshake tells who is behind an address, and each side then has a link to the other", async () => {
  const { world, a, b } = await twoNodes();

  const node = await world.outcome(a.router.peers.connect("b"));
  await world.run(100);

  expect(node).toMatchObject({ id: b.id, name: "b", transportAddress: "b" });
  expect(a.router.peers.post(b.id, "reg", new Uint8Array())).toBe("sent");
  expect(b.router.peers.post(a.id, "reg", new Uint8Array())).toBe("sent");
});

test("connecting to the own address makes no link", async () => {
  const { world, a } = await twoNodes();

  const node = await world.outcome(a.router.peers.connect("a"));

  expect(node).toMatchObject({ id: a.id });
  expect(a.router.peers.post(a.id, "reg", new Uint8Array())).toBe("not-connected");
});

test("a node of another cluster is refused with both names, and no link stays", async () => {
  const world = createTestWorld();
  const a = await world.start("a");
  const b = await world.start("b", { clusterName: "other" });

  const outcome = await world.outcome(a.router.peers.connect("b"));
  await world.run(100);

  expect(problemOf(outcome)).toMatchObject({
    type: "connect_transport_exception",
    reason:
      "[b] handshake failed: remote cluster name [other] does not match local cluster name [orrery]",
  });
  expect(a.router.peers.post(b.id, "reg", new Uint8Array())).toBe("not-connected");
  expect(b.router.peers.post(a.id, "reg", new Uint8Array())).toBe("not-connected");
});

test("a frame of another version is answered with why, and its connection ends", async () => {
  const { world } = await twoNodes();
  const { connection, frames, closed } = await stranger(world, "b");
  const greeting = { clusterName: "orrery", node: discoveryNode("stranger", 1) };
  const { hello } = connectingHandshake({ trust: trustOf("s"), greeting, channel: "reg" });
  hello[0] = 9;

  connection.send(hello);
  await world.run(100);

  expect(utf8Decode(frames[0] ?? new Uint8Array())).toContain(
    "received message from unsupported version: [9] minimal compatible version is: [4] maximal compatible version is: [4]",
  );
  expect(closed).toHaveLength(1);
});

test("a node that gets such an answer says why it cannot connect", async () => {
  const world = createTestWorld();
  const a = await world.start("a");
  await world.network("newer").listen((connection) => ({
    onFrame: () => {
      const problem = { type: "illegal_state_exception", reason: "unsupported", status: 500 };
      const header = { kind: "error", correlationId: 0, from: "", to: "", endpoint: 0 } as const;
      const rest = { action: handshakeAction, shard: "", timeoutMs: 0 };
      connection.send(encodeFrame({ ...header, ...rest }, text(JSON.stringify(problem))));
    },
    onClose: () => undefined,
  }));

  const outcome = await world.outcome(a.router.peers.connect("newer"));

  expect(problemOf(outcome)).toMatchObject({
    type: "connect_transport_exception",
    reason: "[newer] handshake failed",
    causedBy: { type: "illegal_state_exception", reason: "unsupported" },
  });
});

test.each([
  ["no JSON", "{broken"],
  ["no object", "null"],
  ["no node", '{"clusterName":"orrery"}'],
  ["a node without an address", '{"clusterName":"orrery","node":{"id":"x","ephemeralId":"y"}}'],
])("a handshake with %s is refused, and the node goes on", async (_name, payload) => {
  const { world, a, b } = await twoNodes();
  const { connection, frames, closed } = await stranger(world, "b");
  const header = { kind: "request", correlationId: 0, from: "x", to: "", endpoint: 0 } as const;
  const rest = { action: handshakeAction, shard: "", timeoutMs: 0 };

  connection.send(encodeFrame({ ...header, ...rest }, text(payload)));
  await world.run(100);

  expect(utf8Decode(frames[0] ?? new Uint8Array())).toContain("stream_corrupted_exception");
  expect(closed).toHaveLength(1);
  expect(await world.outcome(a.router.peers.connect("b"))).toMatchObject({ id: b.id });
});

test("nobody at an address is a connect problem, and so is nobody who answers in time", async () => {
  const { world, a, b } = await twoNodes();

  const nobody = await world.outcome(a.router.peers.connect("nobody"));
  world.model.applyRule(cutOff);
  const silent = await world.outcome(a.router.peers.connect("b"));

  expect(problemOf(nobody).reason).toBe("[nobody] connect failed: connection to [nobody] refused");
  expect(problemOf(silent).reason).toBe("[b] connect_timeout[3000ms]");
  expect(a.router.peers.post(b.id, "reg", new Uint8Array())).toBe("not-connected");
});

test("a request is answered by the other node's handler", async () => {
  const { world, a, b } = await twoNodes();
  b.router.endpoint.handle("greet", async (payload, { from }) =>
    text(`hello ${from}, you said ${utf8Decode(payload)}`),
  );
  await world.outcome(a.router.peers.connect("b"));

  const answer = await world.outcome(a.router.endpoint.request(b.id, "greet", text("hi")));

  expect(utf8Decode(answer as Uint8Array)).toBe("hello a-id, you said hi");
});

test("a large request and a large answer arrive whole", async () => {
  const { world, a, b } = await twoNodes();
  const large = new Uint8Array(5 * 1024 * 1024).map((_, i) => i % 251);
  b.router.endpoint.handle("echo", async (payload) => payload.slice());
  await world.outcome(a.router.peers.connect("b"));

  const answer = await world.outcome(a.router.endpoint.request(b.id, "echo", large));

  expect(answer).toEqual(large);
});

test("a request to a node without a link fails at once", async () => {
  const { world, a } = await twoNodes();

  const outcome = await world.outcome(
    a.router.endpoint.request("unknown" as NodeId, "greet", text("")),
  );

  expect(problemOf(outcome)).toMatchObject({
    type: "node_not_connected_exception",
    isRetryable: true,
  });
});

test("a lost link fails what was asked on it, and tells its listeners once", async () => {
  const { world, a, b } = await twoNodes();
  b.router.endpoint.handle("never", () => new Promise(() => undefined));
  await world.outcome(a.router.peers.connect("b"));
  const asked = a.router.endpoint.request(b.id, "never", text(""), { channel: "bulk" });
  await world.run(100);

  world.model.crash("b");
  const outcome = await world.outcome(asked);
  await world.run(100);

  expect(problemOf(outcome)).toMatchObject({
    type: "node_disconnected_exception",
    reason: "[b-id][never] disconnected: connection reset by [b]",
    isRetryable: true,
  });
  expect(a.disconnections).toEqual(["b-id: connection reset by [b]"]);
  expect(a.router.endpoint.outstanding).toBe(0);
});

test("a node that disconnects lets the other one's handlers know that nobody waits any more", async () => {
  const { world, a, b } = await twoNodes();
  const cancelled: string[] = [];
  b.router.endpoint.handle("never", (_payload, { cancellation }) => {
    cancellation.onCancel((reason) => void cancelled.push(reason));
    return new Promise(() => undefined);
  });
  await world.outcome(a.router.peers.connect("b"));
  const asked = a.router.endpoint.request(b.id, "never", text(""));
  await world.run(100);

  a.router.peers.disconnect(b.id);
  await world.outcome(asked);
  await world.run(100);

  expect(cancelled).toHaveLength(1);
});

test("an answer that cannot be read ends the link, not the node", async () => {
  const { world, a } = await twoNodes();
  const accepted: Connection[] = [];
  await world.network("odd").listen((connection) => {
    accepted.push(connection);
    const greeting = { clusterName: "orrery", node: discoveryNode("odd", 1) };
    const handshake = acceptingHandshake({ trust: trustOf("s"), greeting, channel: "reg" });
    return {
      onFrame: (bytes) => {
        const step = handshake.take(bytes);
        if (step.kind === "continue") connection.send(step.reply);
      },
      onClose: () => undefined,
    };
  });
  const node = await world.outcome(a.router.peers.connect("odd"));

  accepted[0]?.send(new Uint8Array([frameVersion, 2, 3]));
  await world.run(100);

  expect(node).toMatchObject({ name: "odd" });
  expect(a.disconnections).toEqual([
    expect.stringMatching(/^odd-id: invalid internal transport message format/),
  ]);
});

test("a restarted node replaces the link to its earlier self", async () => {
  const { world, a, b } = await twoNodes();
  await world.outcome(a.router.peers.connect("b"));
  world.model.crash("b");
  await world.run(100);

  const again = await world.start("b");
  const node = await world.outcome(a.router.peers.connect("b"));
  again.router.endpoint.handle("who", async () => text("the new one"));
  const answer = await world.outcome(a.router.endpoint.request(b.id, "who", text("")));

  expect(node).toMatchObject({ id: b.id });
  expect(utf8Decode(answer as Uint8Array)).toBe("the new one");
});

test("nodes of the cluster state are connected to again as long as they are missing", async () => {
  const { world, a, b } = await twoNodes();
  const { end: mend } = world.model.applyRule(cutOff);
  a.router.peers.setNodes([discoveryNode("a", 1), discoveryNode("b", 1)]);
  await world.run(30_000);
  const before = a.router.peers.post(b.id, "reg", new Uint8Array());

  mend();
  await world.run(30_000);

  expect([before, a.router.peers.post(b.id, "reg", new Uint8Array())]).toEqual([
    "not-connected",
    "sent",
  ]);
});

test("a second process with a node's id, at another address, is refused by name whoever connects", async () => {
  const { world, a, b } = await twoNodes();
  await world.outcome(a.router.peers.connect("b"));
  await world.run(100);
  const copy = await world.start("copy", { id: b.id });
  const sameId = /can't add node \{copy\}.*found existing node \{b\}.*with the same id/;

  const toCopy = await world.outcome(a.router.peers.connect("copy"));
  const fromCopy = await world.outcome(copy.router.peers.connect("a"));
  const between = await world.outcome(copy.router.peers.connect("b"));
  await world.run(100);

  for (const outcome of [toCopy, fromCopy, between])
    expect(problemOf(outcome).causedBy?.reason).toMatch(/with the same id but is a different node/);
  expect(problemOf(toCopy).causedBy?.reason).toMatch(sameId);
  expect(a.logs.some((line) => sameId.test(line))).toBe(true);
  expect(copy.logs.some((line) => sameId.test(line))).toBe(true);
  expect(a.router.peers.post(b.id, "reg", new Uint8Array())).toBe("sent");
  expect(copy.router.peers.isConnected(a.id)).toBe(false);
});

test("a process that takes the place of one that is gone is authenticated, wherever it listens", async () => {
  const { world, a, b } = await twoNodes();
  await world.outcome(a.router.peers.connect("b"));
  await world.run(100);
  b.router.close();
  await world.outcome(b.network.close());
  await world.run(100);
  const moved = await world.start("elsewhere", { id: b.id });

  const node = await world.outcome(a.router.peers.connect("elsewhere"));

  expect(node).toMatchObject({ id: b.id, name: "elsewhere" });
  expect(moved.id).toBe(b.id);
});
