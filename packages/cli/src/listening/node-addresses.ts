/** Addresses on which a node listens and under which it is published, resolved from its settings on this machine. */
import type { NodeConfig } from "@orrery/node";
import {
  addressText,
  bindAddressesOf,
  isAnyLocal,
  isLoopback,
  publishAddressOf,
  type PublishAddress,
} from "./machine-addresses.ts";
import { listenSettingsOf, type ListeningLayer } from "./settings.ts";

export interface LayerAddresses {
  /** Addresses to listen on. */
  readonly bind: readonly [string, ...string[]];
  readonly publish: PublishAddress;
}

export type NodeAddresses = Readonly<Record<ListeningLayer, LayerAddresses>>;

/** Address of nodes whose settings name none, and of the control endpoint. */
export const loopback = "127.0.0.1";

const only: LayerAddresses = {
  bind: [loopback],
  publish: { address: loopback, name: undefined },
};

/** The addresses of nodes of a run, which no other machine reaches. */
export const loopbackAddresses: NodeAddresses = { http: only, transport: only };

/**
 * Resolves the addresses.
 * @throws OperationError A host cannot be resolved, or an address is malformed.
 */
export async function resolveAddresses(settings: NodeConfig["settings"]): Promise<NodeAddresses> {
  const of = async (layer: ListeningLayer): Promise<LayerAddresses> => {
    const { bindHosts, publishHosts } = listenSettingsOf(settings, layer);
    const [first = loopback, ...others] = await bindAddressesOf(bindHosts);
    return { bind: [first, ...others], publish: await publishAddressOf(publishHosts) };
  };
  return { http: await of("http"), transport: await of("transport") };
}

/** `host:port` of each address on which the layer listens. */
export function boundAddresses({ bind }: LayerAddresses, port: number): readonly string[] {
  return bind.map((address) => addressText(address, port));
}

/** Address at which this machine reaches the layer. */
export function localAddress({ bind }: LayerAddresses): string {
  // A wildcard of IPv6 takes connections of IPv4 as well.
  return bind.some((address) => address === loopback || isAnyLocal(address)) ? loopback : bind[0];
}

/** True if other machines reach the layer. */
export function isExposed({ bind }: LayerAddresses): boolean {
  return bind.some((address) => !isLoopback(address));
}
