/** Peers that die or talk nonsense: noticed at once, and never the end of this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
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
import { WebSocket } from "ws";
import { createWebsocketNetwork } from "../src/index.ts";

const host = "127.0.0.1";
const networks: Network[] = [];
function network(): Network {
  const made = createWebsocketNetwork({ host, port: 0 });
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
    const { createWebsocketNetwork } = await import(${JSON.stringify(source)});
    const network = createWebsocketNetwork({ host: "${host}", port: 0 });
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

test("a stranger that sends much before its greeting is whole is cut off", async () => {
  const received: number[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => received.push(frame.length),
    onClose() {},
  }));
  const stranger = new WebSocket(`ws://${address}/bulk`, { perMessageDeflate: false });
  let isClosed = false;
  stranger.on("error", () => undefined);
  stranger.on("close", () => (isClosed = true));
  stranger.on("open", () => stranger.send(new Uint8Array(1024 * 1024), { fin: false }));

  await settle(() => isClosed);

  expect(received).toEqual([]);
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

/** What comes of a WebSocket that somebody opens at this path, with these headers: its status, or that it is open. */
function knock(port: string, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}${path}`, { headers });
    socket.on("open", () => {
      resolve("open");
      socket.terminate();
    });
    socket.on("unexpected-response", (request, { statusCode }) => {
      resolve(String(statusCode));
      request.destroy();
    });
    socket.on("error", () => resolve("error"));
  });
}

test.each([
  ["a page of a browser", "/reg", { origin: "https://elsewhere.example" }, "403"],
  ["a page that a browser opened from a file", "/reg", { origin: "null" }, "403"],
  ["a page that says what browsers say", "/reg", { "sec-fetch-site": "cross-site" }, "403"],
  ["a name that somebody gave this address", "/reg", { host: "elsewhere.example:80" }, "403"],
  ["a path of nobody's", "/", {}, "400"],
  ["a path with more behind it", "/reg/../reg?x=1", {}, "400"],
  ["headers without end", "/reg", { "x-long": "x".repeat(20_000) }, "431"],
])("%s is turned away before it says anything", async (_name, path, headers, status) => {
  const accepted: string[] = [];
  const address = await network().listen(() => {
    accepted.push("peer");
    return { onFrame() {}, onClose() {} };
  });
  const [, port = ""] = address.split(":");

  const outcome = await knock(port, path, headers as Record<string, string>);

  expect([outcome, accepted]).toEqual([status, []]);
  expect(await knock(port, "/reg", {})).toBe("open");
});

test("text is no frame, and closes its connection", async () => {
  const frames: Uint8Array[] = [];
  const closed: string[] = [];
  const address = await network().listen(() => ({
    onFrame: (frame) => frames.push(frame),
    onClose: (reason) => closed.push(reason),
  }));

  const socket = new WebSocket(`ws://${address}/reg`);
  socket.on("open", () => socket.send("hello"));
  await settle(() => closed.length > 0);

  expect(frames).toEqual([]);
});

test("a request that is no WebSocket is answered and let go", async () => {
  const address = await network().listen(() => ({ onFrame() {}, onClose() {} }));

  const { status } = await fetch(`http://${address}/reg`, { method: "POST", body: "x" });

  expect(status).toBe(426);
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
