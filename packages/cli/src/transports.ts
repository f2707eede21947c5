/**
 * Transports between processes, by the name that `--transport` takes: the only module of this program that names their
 * packages. Each is loaded on demand.
 */
import type { Network } from "@orrery/ports";
import type { SocketTransport } from "@orrery/scenario";
import { assert } from "@orrery/stdx";

export type TransportKind = SocketTransport | "memory";

/** Address on which a node listens for other nodes. */
export interface ListenAddress {
  readonly host: string;
  readonly moreHosts: readonly string[];
  /** Port; 0: any free one. */
  readonly port: number;
  /** Address under which other nodes reach it. */
  readonly publishHost: string;
  readonly publishPort?: number;
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

/** Opens a network. Throws for `memory`, whose nodes share a hub in one process. */
export async function openSocketNetwork(
  transport: TransportKind,
  address: ListenAddress,
): Promise<Network> {
  assert(transport !== "memory", "a process has a transport between processes");
  return (await transports[transport]())(address);
}
