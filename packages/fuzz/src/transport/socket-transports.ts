/** Transports between processes for the fuzzer: a client as a node uses it, and bytes that no node sends. */
import type { Network } from "@orrery/ports";
import { socketTransports, type SocketTransport, type WorldName } from "@orrery/scenario";
import { assert } from "@orrery/stdx";
import { createGrpcNetwork } from "@orrery/transport-grpc";
import { createWebsocketNetwork } from "@orrery/transport-websocket";
import { grpcBytes, webSocketBytes } from "./raw.ts";

export interface SocketTransportRow {
  readonly openNetwork: (address: { readonly host: string; readonly port: number }) => Network;
  readonly bytesOf: typeof grpcBytes;
}

const rows: { readonly [Name in SocketTransport]: SocketTransportRow } = {
  grpc: { openNetwork: createGrpcNetwork, bytesOf: grpcBytes },
  websocket: { openNetwork: createWebsocketNetwork, bytesOf: webSocketBytes },
};

/** Row of a world of processes; any other world is a bug of the target. */
export function socketTransportOf(world: WorldName): SocketTransportRow {
  const name = socketTransports.find((known) => known === world);
  assert(name !== undefined, "no processes in this world");
  return rows[name];
}
