/**
 * Transports between processes, by the name that `--transport` takes: the one place of this program that names their packages.
 * Each is loaded where it is used, and nowhere else.
 */
import type { Network } from "@orrery/ports";
import type { SocketTransport } from "@orrery/scenario";
import { assert } from "@orrery/stdx";

export type TransportKind = SocketTransport | "memory";

/** Where a node listens for other nodes. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

type OpenNetwork = (address: ListenAddress) => Network;

const transports: { readonly [Name in SocketTransport]: () => Promise<OpenNetwork> } = {
  grpc: async () => (await import("@orrery/transport-grpc")).createGrpcNetwork,
  websocket: async () => (await import("@orrery/transport-websocket")).createWebsocketNetwork,
};

const names = [...(Object.keys(transports) as SocketTransport[]), "memory"] as const;

export const transportNames: readonly TransportKind[] = names;

export function isTransportKind(name: unknown): name is TransportKind {
  return names.some((known) => known === name);
}

/** Throws for `memory`, whose nodes are in one process and share a hub. */
export async function openSocketNetwork(
  transport: TransportKind,
  address: ListenAddress,
): Promise<Network> {
  assert(transport !== "memory", "a process has a transport between processes");
  return (await transports[transport]())(address);
}
