/** The grpc network against the contract, on loopback. */
import { networkContract, settleInRealTime } from "@orrery/ports/contract";
import { createGrpcNetwork } from "../src/index.ts";

const queueBytes = 4 * 1024 * 1024;
const host = "127.0.0.1";

networkContract("grpc", async () => ({
  near: createGrpcNetwork({ host, port: 0, queueBytes }),
  far: createGrpcNetwork({ host, port: 0, queueBytes }),
  deadAddress: "127.0.0.1:1",
  sameAddressAsFar: (address) =>
    createGrpcNetwork({ host, port: Number(address.split(":")[1]), queueBytes }),
  queueBytes,
  settle: settleInRealTime,
}));
