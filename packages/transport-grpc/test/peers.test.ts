/** Peers that die or talk nonsense: noticed at once, and never the end of this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectSocket, type Socket } from "node:net";
import {
  maxFrameBytes,
  openingBytesMost,
  unopenedSocketsMost,
  type ChannelClass,
  type Network,
} from "@orrery/ports";
import { areProbed, settleInRealTime as settle, tellsOfTimers } from "@orrery/ports/contract";
import { afterEach, expect, test } from "vitest";
import { createGrpcNetwork } from "../src/index.ts";

const host = "127.0.0.1";
const networks: Network[] = [];
function network(): Network {
  const made = createGrpcNetwork({ host, port: 0 });
  networks.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(networks.splice(0).map((each) => each.close()));
});

test("a peer whose process is killed is a close at both ends of what it had", async () => {
  const source = new URL("../src/index.ts", import.meta.url).href;
  const closedHere: string[] = [];
  const accepted: string[] = [];
  const closedThere: string[] = [];
  const address = await network().listen(() => {
    accepted.push("peer");
    return { onFrame() {}, onClose: (reason) => closedThere.push(reason) };
  });
  const program = `
    const { createGrpcNetwork } = await import(${JSON.stringify(source)});
    const network = createGrpcNetwork({ host: "${host}", port: 0 });
    const nothing = { onFrame() {}, onClose() {} };
    const address = await network.listen(() => nothing);
    network.connect(${JSON.stringify(address)}, "reg", {
      ...nothing,
      onOpen: () => process.stdout.write(address),
    });
  `;
  const flags = ["--conditions=source", "--input-type=module", "-e", program];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const peer = await new Promise<string>((resolve) => {
    child.stdout.once("data", (text) => resolve(String(text)));
  });
  const opened: string[] = [];
  const connection = network().connect(peer, "state", {
    onOpen: () => opened.push("open"),
    onFrame() {},
    onClose: (reason) => closedHere.push(reason),
  });
  await settle(() => opened.length === 1 && accepted.length === 1);

  child.kill("SIGKILL");
  await settle(() => closedHere.length > 0 && closedThere.length > 0);

  expect([closedHere.length, closedThere.length]).toEqual([1, 1]);
  expect(closedHere[0]).toContain(`[${peer}]`);
  expect(connection.send(new Uint8Array(1))).toBe("accepted");
});

test("bytes that are no protocol at all reach nobody", async () => {
  const accepted: string[] = [];
  const address = await network().listen(() => {
    accepted.push("peer");
    return { onFrame() {}, onClose() {} };
  });
  const [, port] = address.split(":");

  const socket = connectSocket(Number(port), host);
  let isClosed = false;
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  socket.resume();
  socket.write("HELO there\r\n\r\n\u0000\u0001\u0002".repeat(50));
  await settle(() => isClosed);

  expect(accepted).toEqual([]);
});

test("a channel class that is unknown is refused", async () => {
  const accepted: string[] = [];
  const address = await network().listen(() => {
    accepted.push("peer");
    return { onFrame() {}, onClose() {} };
  });
  const closed: string[] = [];
  const gossip: string = "gossip";

  network().connect(address, gossip as ChannelClass, {
    onFrame() {},
    onClose: (reason) => closed.push(reason),
  });
  await settle(() => closed.length > 0);

  expect([accepted, closed.length]).toEqual([[], 1]);
});

/** Sockets that say nothing; each is told of its end. */
async function silentSockets(
  address: string,
  count: number,
): Promise<{ readonly closed: ReadonlySet<number>; end(): void }> {
  const [, port] = address.split(":");
  const closed = new Set<number>();
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    const socket = connectSocket(Number(port), host);
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => closed.add(i));
    socket.resume();
    await once(socket, "connect");
  }
  return { closed, end: () => sockets.forEach((socket) => socket.destroy()) };
}

test("of sockets on which nothing is opened the oldest go, and those with a connection stay", async () => {
  const received: number[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => received.push(frame.length),
    onClose() {},
  }));
  const lost: string[] = [];
  const opened: string[] = [];
  const connection = network().connect(address, "reg", {
    onOpen: () => opened.push("open"),
    onFrame() {},
    onClose: (reason) => lost.push(reason),
  });
  await settle(() => opened.length === 1);

  const silent = await silentSockets(address, unopenedSocketsMost + 20);
  await settle(() => silent.closed.size >= 20);

  expect([...silent.closed].toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
  connection.send(new Uint8Array(7));
  await settle(() => received.length > 0);
  expect([received, lost]).toEqual([[7], []]);
  silent.end();
});

test("an end that answers a greeting with much is cut off by the end that connected", async () => {
  const address = await network().listen((connection) => ({
    onFrame: () => void connection.send(new Uint8Array(2 * openingBytesMost)),
    onClose() {},
  }));
  const received: number[] = [];
  const closed: string[] = [];
  const connection = network().connect(address, "reg", {
    onFrame: (frame) => received.push(frame.length),
    onClose: (reason) => closed.push(reason),
  });

  connection.send(new Uint8Array(1));
  await settle(() => closed.length > 0);

  expect(received).toEqual([]);
});

test("behind two small frames one of the largest size arrives whole", async () => {
  const received: Uint8Array[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => received.push(frame),
    onClose() {},
  }));
  const connection = network().connect(address, "bulk", { onFrame() {}, onClose() {} });
  const large = new Uint8Array(maxFrameBytes).map((_, i) => i % 251);

  connection.send(new Uint8Array(1));
  connection.send(new Uint8Array(2));
  connection.send(large);
  connection.send(new Uint8Array(3));
  await settle(() => received.length === 4);

  expect(received.map(({ length }) => length)).toEqual([1, 2, maxFrameBytes, 3]);
  expect(received[2]?.every((byte, i) => byte === i % 251)).toBe(true);
});

test.each([
  ["one frame", [openingBytesMost + 1]],
  ["a greeting and more", [100, openingBytesMost]],
])("a stranger that sends much before its proof, as %s, is cut off", async (_name, sizes) => {
  const received: number[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => received.push(frame.length),
    onClose() {},
  }));
  const closed: string[] = [];
  const stranger = network().connect(address, "bulk", {
    onFrame() {},
    onClose: (reason) => closed.push(reason),
  });

  for (const size of sizes) stranger.send(new Uint8Array(size));
  await settle(() => closed.length > 0);

  expect(received.every((length) => length === 100)).toBe(true);
});

test("a message of gRPC that is larger than a packet is refused at its head", async () => {
  const received: number[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => received.push(frame.length),
    onClose() {},
  }));
  const session = connectHttp2(`http://${address}`);
  session.on("error", () => undefined);
  const stream = session.request({
    ":method": "POST",
    ":path": "/orrery.transport.Transport/Connect",
    "content-type": "application/grpc",
    te: "trailers",
    channel: "reg",
  });
  const ended: unknown[] = [];
  stream.on("trailers", (trailers) => ended.push(trailers["grpc-status"]));
  stream.on("error", () => undefined);
  stream.resume();
  // A flag, and the size of what is to come: nothing of it does.
  stream.write(Buffer.from([0, 1, 0, 0, 0]));
  await settle(() => ended.length > 0);
  session.destroy();

  const resourceExhausted = "8";
  expect([ended, received]).toEqual([[resourceExhausted], []]);
});

test.skipIf(!tellsOfTimers)(
  "a connection on which nothing comes is probed by the system of the end that accepted it",
  async () => {
    const opened: string[] = [];
    const address = await network().listen(() => ({ onFrame() {}, onClose() {} }));
    network().connect(address, "state", {
      onOpen: () => opened.push("open"),
      onFrame() {},
      onClose() {},
    });
    await settle(() => opened.length === 1);

    // While something is on its way, another timer runs.
    await settle(() => areProbed(address));
  },
);
