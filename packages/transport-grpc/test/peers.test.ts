/** Peers that die or talk nonsense: noticed at once, and never the end of this process. */
import { spawn } from "node:child_process";
import { connect as connectSocket } from "node:net";
import type { ChannelClass, Network } from "@orrery/ports";
import { settleInRealTime as settle } from "@orrery/ports/contract";
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
