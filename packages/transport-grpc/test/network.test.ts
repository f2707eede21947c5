/** The grpc network against the contract, on loopback. */
import { networkInterfaces } from "node:os";
import { networkContract, settleInRealTime } from "@orrery/ports/contract";
import { expect, test } from "vitest";
import { createGrpcNetwork } from "../src/index.ts";

const queueBytes = 4 * 1024 * 1024;
const host = "127.0.0.1";

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === "::1");

networkContract("grpc", async () => ({
  near: createGrpcNetwork({ host, port: 0, queueBytes }),
  far: createGrpcNetwork({ host, port: 0, queueBytes }),
  deadAddress: "127.0.0.1:1",
  sameAddressAsFar: (address) =>
    createGrpcNetwork({ host, port: Number(address.split(":")[1]), queueBytes }),
  queueBytes,
  settle: settleInRealTime,
}));

test.skipIf(!hasIPv6)(
  "accepts connections at all of its addresses, and is published under one",
  async () => {
    const near = createGrpcNetwork({ host, port: 0 });
    const far = createGrpcNetwork({
      ...{ host: "::1", moreHosts: [host], port: 0 },
      ...{ publishHost: "fd00::2", publishPort: 9400 },
    });
    const reached: string[] = [];
    const published = await far.listen((connection) => ({
      onFrame: (frame) => void reached.push(new TextDecoder().decode(frame)),
      onClose: () => connection.close(),
    }));
    expect(published).toBe("[fd00::2]:9400");
    await far.close();

    const both = createGrpcNetwork({ host: "::1", moreHosts: [host], port: 0 });
    const address = await both.listen(() => ({
      onFrame: (frame) => void reached.push(new TextDecoder().decode(frame)),
      onClose: () => undefined,
    }));
    const port = address.split(":").at(-1);
    for (const at of [`[::1]:${port}`, `${host}:${port}`]) {
      const connection = near.connect(at, "reg", {
        onFrame: () => undefined,
        onClose: () => undefined,
      });
      connection.send(new TextEncoder().encode(at));
    }
    await expect.poll(() => reached.toSorted()).toEqual([`${host}:${port}`, `[::1]:${port}`]);
    await Promise.all([near.close(), both.close()]);
  },
);
