/** Authentication of connections, and what a peer may send on them: a node accepts nothing else. */
import { encodeFrame, type ChannelClass, type Connection, type FrameHeader } from "@orrery/ports";
import { actionRows, actions } from "@orrery/protocol";
import { forSeedsAsync } from "@orrery/seeds";
import { OperationError, utf8Decode, utf8Encode, type NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  acceptingHandshake,
  connectingHandshake,
  type Greeting,
  type HandshakeStep,
} from "../src/handshake.ts";
import { handshakeTimeoutMs, maxPerAddress, maxUnauthenticated } from "../src/inbound.ts";
import { createTestWorld, discoveryNode, trustOf, type TestNode, type TestWorld } from "./world.ts";

const near: Greeting = { clusterName: "orrery", node: discoveryNode("near", 1) };
const far: Greeting = { clusterName: "orrery", node: discoveryNode("far", 1) };

interface Ends {
  readonly nearSecret?: string;
  readonly farSecret?: string;
  readonly farChannel?: ChannelClass;
  readonly nearGreeting?: Greeting;
}

/** Both ends of a handshake that nothing disturbs, step by step. */
function shake({
  nearSecret = "s",
  farSecret = "s",
  farChannel = "reg",
  nearGreeting = near,
}: Ends) {
  const client = connectingHandshake({
    trust: trustOf(nearSecret),
    greeting: nearGreeting,
    channel: "reg",
  });
  const server = acceptingHandshake({
    trust: trustOf(farSecret),
    greeting: far,
    channel: farChannel,
  });
  const welcome = server.take(client.hello);
  const proof = client.take(welcome.reply ?? new Uint8Array());
  const end = server.take(proof.reply ?? new Uint8Array());
  return { hello: client.hello, welcome, proof, end, server };
}

function reasonOf(step: HandshakeStep): string | null {
  return step.kind === "refused" ? step.problem.reason : step.kind;
}

describe("a handshake", () => {
  test("of two that have the same secret tells each who the other is", () => {
    const { proof, end } = shake({});

    expect(proof).toMatchObject({ kind: "authenticated", greeting: { node: { id: "far-id" } } });
    expect(end).toMatchObject({ kind: "authenticated", greeting: { node: { id: "near-id" } } });
  });

  test("of two that have not the same secret ends at the one that hears the first proof", () => {
    const { proof, end } = shake({ farSecret: "another" });

    const why = "[far] of cluster [orrery] has not proved the secret of this node's cluster";
    expect(reasonOf(proof)).toBe(why);
    expect(reasonOf(end)).toBe(why);
  });

  test("of a client of another cluster is not one of a node, and the other way round", () => {
    const remote = { ...near, clusterName: "other", isRemote: true };
    const { end } = shake({ nearGreeting: remote });
    const { server, proof } = shake({});

    expect(end).toMatchObject({ kind: "authenticated", greeting: { isRemote: true } });
    // The same proof, by one that says it is a client.
    const client = acceptingHandshake({ trust: trustOf("s"), greeting: far, channel: "reg" });
    client.take(
      connectingHandshake({ trust: trustOf("s"), greeting: remote, channel: "reg" }).hello,
    );
    expect(client.take(proof.reply ?? new Uint8Array()).kind).toBe("refused");
    expect(server.take(proof.reply ?? new Uint8Array()).kind).toBe("authenticated");
  });

  test("of another channel class, or heard on another connection, proves nothing", () => {
    const { proof } = shake({ farChannel: "state" });
    const heard = shake({});

    expect(proof.kind).toBe("refused");
    // Its nonce is another one now.
    const other = acceptingHandshake({ trust: trustOf("s"), greeting: far, channel: "reg" });
    other.take(heard.hello);
    expect(other.take(heard.proof.reply ?? new Uint8Array()).kind).toBe("refused");
  });

  test("is not passed by giving back what the other end sent", () => {
    const client = connectingHandshake({ trust: trustOf("s"), greeting: near, channel: "reg" });
    expect(client.take(client.hello).kind).toBe("refused");

    const server = acceptingHandshake({ trust: trustOf("s"), greeting: far, channel: "reg" });
    const welcome = server.take(client.hello).reply ?? new Uint8Array();
    expect(server.take(welcome).kind).toBe("refused");
    // The proof of the one end, as the proof of the other.
    const header = {
      kind: "request",
      correlationId: 0,
      from: "near-id",
      to: "",
      endpoint: 0,
    } as const;
    const rest = { action: "internal:transport/handshake", shard: "", timeoutMs: 0 };
    const at = welcome.length - JSON.stringify({ ...far, nonce: "x".repeat(43) }).length;
    const reflected = encodeFrame({ ...header, ...rest }, welcome.slice(at - 32, at));
    const other = acceptingHandshake({ trust: trustOf("s"), greeting: far, channel: "reg" });
    other.take(client.hello);
    expect(other.take(reflected).kind).toBe("refused");
  });
});

async function twoNodes() {
  const world = createTestWorld();
  const a = await world.start("a");
  const b = await world.start("b");
  return { world, a, b };
}

interface Visitor {
  readonly connection: Connection;
  readonly frames: Uint8Array[];
  readonly closed: string[];
}

/** A connection that somebody opened with nothing but an address; by `as` they have the secret, and say who they are. */
async function visit(
  world: TestWorld,
  as?: Greeting,
  channel: ChannelClass = "reg",
): Promise<Visitor> {
  const frames: Uint8Array[] = [];
  const closed: string[] = [];
  const handshake = as && connectingHandshake({ trust: trustOf("s"), greeting: as, channel });
  let isBelieved = false;
  const connection: Connection = world.network("visitor").connect("b", channel, {
    onFrame: (bytes) => {
      if (handshake === undefined || isBelieved) return void frames.push(bytes);
      const step = handshake.take(bytes);
      isBelieved = step.kind === "authenticated";
      if (step.reply !== undefined) connection.send(step.reply);
    },
    onClose: (reason) => void closed.push(reason),
  });
  if (handshake !== undefined) connection.send(handshake.hello);
  await world.run(100);
  return { connection, frames, closed };
}

function frameOf(
  b: TestNode,
  header: Partial<FrameHeader>,
  payload = new Uint8Array(),
): Uint8Array {
  const usual = { kind: "request", correlationId: 1, from: "visitor-id", to: b.id } as const;
  const rest = { endpoint: 0, action: "greet", shard: "", timeoutMs: 0 };
  return encodeFrame({ ...usual, ...rest, ...header }, payload);
}

const visitor: Greeting = { clusterName: "orrery", node: discoveryNode("visitor", 1) };

/** Every frame that is delivered anywhere in the node. */
function listen({ router }: TestNode): string[] {
  const heard: string[] = [];
  for (const action of [...Object.values(actions), "greet"]) {
    router.endpoint.handle(action, async () => {
      heard.push(action);
      return new Uint8Array();
    });
    router.endpoint.handleOneWay(action, String, () => void heard.push(action));
  }
  return heard;
}

describe("a connection on which nobody has proved anything", () => {
  test("is closed at the first frame, whatever it is, and nobody sees the frame", async () => {
    const { world, b } = await twoNodes();
    const heard = listen(b);
    await forSeedsAsync(40, async (random) => {
      const { connection, closed } = await visit(world);
      const kind = random.pick([
        "request",
        "one-way",
        "cancel",
        "response",
        "error",
        "request-part",
      ]);
      const action = random.pick(Object.values(actions));
      const from = random.pick(["a-id", "b-id", "visitor-id", ""]);
      const bytes = random.bytes(random.int(0, 100));
      const isFrame = random.int(0, 3) > 0;
      connection.send(isFrame ? frameOf(b, { kind, action, from } as FrameHeader, bytes) : bytes);
      connection.send(frameOf(b, {}));
      await world.run(1500);
      expect(closed).toHaveLength(1);
    });

    expect(heard).toEqual([]);
    expect(b.workers).toEqual([]);
  });

  test("is closed when its time is up, and when too many like it come after", async () => {
    const { world } = await twoNodes();
    const quiet = await visit(world);
    await world.run(handshakeTimeoutMs - 1000);
    const before = quiet.closed.length;
    await world.run(2000);
    expect([before, quiet.closed.length]).toEqual([0, 1]);

    const first = await visit(world);
    for (let i = 0; i < maxUnauthenticated; i += 1)
      world.network("visitor").connect("b", "reg", { onFrame: () => {}, onClose: () => {} });
    await world.run(1000);
    expect(first.closed).toHaveLength(1);
  });

  test("does not hold up those who have the secret, and an address has its limit", async () => {
    const { world, a, b } = await twoNodes();
    const closed: string[] = [];
    for (let i = 0; i < maxPerAddress + 500; i += 1)
      world.network("visitor").connect("b", "reg", {
        onFrame: () => {},
        onClose: (reason) => closed.push(reason),
      });
    await world.run(100);

    expect(await world.outcome(a.router.peers.connect("b"))).toMatchObject({ id: b.id });
    expect(closed.length).toBeGreaterThanOrEqual(500 + maxPerAddress - maxUnauthenticated);
  });
});

test("two nodes with different secrets have no link, and the log of both says why", async () => {
  const world = createTestWorld();
  const a = await world.start("a");
  const b = await world.start("b", { secret: "another" });

  const outcome = await world.outcome(a.router.peers.connect("b"));
  await world.run(1000);

  const why = "[b] of cluster [orrery] has not proved the secret of this node's cluster";
  expect(outcome).toBeInstanceOf(OperationError);
  expect((outcome as OperationError).problem.reason).toBe(`[b] handshake failed: ${why}`);
  expect(a.logs).toEqual([`warn: no link to [b]: ${why}`]);
  expect(b.logs).toEqual([`warn: closed the connection of [a]: ${why}`]);
  expect(b.router.peers.isConnected(a.id)).toBe(false);
});

describe("a peer that has proved who it is", () => {
  test.each([
    ["in the name of another node", { from: "a-id" }],
    ["to another node", { to: "a-id" as NodeId }],
    ["that answers what nobody asked", { kind: "response" }],
    ["that shakes hands again", { action: "internal:transport/handshake" }],
  ])("loses its connection by a frame %s", async (_name, header) => {
    const { world, b } = await twoNodes();
    const heard = listen(b);
    const { connection, closed } = await visit(world, visitor);

    connection.send(frameOf(b, header as Partial<FrameHeader>));
    await world.run(1500);

    expect([heard, closed.length]).toEqual([[], 1]);
  });

  test("loses its connection when what it sends makes something fail, and the node goes on", async () => {
    const { world, a, b } = await twoNodes();
    b.router.endpoint.handleOneWay("greet", utf8Decode, () => {
      throw new TypeError("not foreseen");
    });
    const { connection, closed } = await visit(world, visitor);

    connection.send(frameOf(b, { kind: "one-way" }));
    await world.run(1500);

    expect(closed).toHaveLength(1);
    expect(b.logs.join()).toContain("closed the connection of [visitor]");
    expect(await world.outcome(a.router.peers.connect("b"))).toMatchObject({ id: b.id });
  });

  test("is answered on each of its channel classes, with a handshake on each", async () => {
    const { world, b } = await twoNodes();
    const heard = listen(b);
    const authenticated = await visit(world, visitor, "bulk");
    const not = await visit(world, undefined, "state");

    for (const { connection } of [authenticated, not]) connection.send(frameOf(b, {}));
    await world.run(1500);

    expect(heard).toEqual(["greet"]);
    expect([authenticated.frames.length, not.closed.length]).toEqual([1, 1]);
  });

  test.each([
    ["a client of another cluster", { ...visitor, isRemote: true }, "nodes and clients"],
    ["a data node", visitor, "nodes and clients,nodes"],
    [
      "a node that may be elected",
      { ...visitor, node: { ...visitor.node, roles: ["cluster_manager"] as const } },
      "nodes and clients,nodes,candidates",
    ],
  ])("and is %s sends what it may, and is told of what it may not", async (_name, as, may) => {
    const { world, b } = await twoNodes();
    const heard = listen(b);
    const { connection, frames, closed } = await visit(world, as);
    const all = Object.values(actions);

    for (const [i, action] of all.entries())
      connection.send(frameOf(b, { action, correlationId: i + 1 }));
    await world.run(2000);

    const allowed = all.filter((action) =>
      may.split(",").includes(actionRows.get(action)?.sender ?? ""),
    );
    expect(heard).toEqual(allowed);
    const refused = frames.filter((frame) => utf8Decode(frame).includes("security_exception"));
    expect([refused.length, closed]).toEqual([all.length - allowed.length, []]);
    // Many refusals are not many lines.
    expect(b.logs.length).toBeLessThanOrEqual(10);
  });

  test("and is a client of another cluster reaches no shard by itself", async () => {
    const { world, b } = await twoNodes();
    const { connection, frames } = await visit(world, { ...visitor, isRemote: true });

    connection.send(frameOf(b, { action: actions.clusterState, shard: "books/0" }));
    await world.run(1000);

    expect(b.workers).toEqual([]);
    expect(utf8Decode(frames[0] ?? utf8Encode(""))).toContain("security_exception");
  });
});
