/**
 * Network port with faults between this node and the nodes it connects to.
 *
 * The node that opens a connection applies the rules to both of its directions, so that each frame
 * is affected once. Accepted connections pass through unchanged: the node at their other end has
 * the same decorator.
 */
import type { Clock, Network, Trace } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { openFaultyConnection, type FaultyConnection } from "./faulty-connection.ts";

export interface NetworkFaultsOptions {
  readonly self: string;
  /** Name of the node at an address; the address itself if the name is unknown. */
  readonly nameOf: (address: string) => string;
  readonly state: FaultState;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives events of connections and frames; their `from` and `to` are node names. */
  readonly trace?: Trace | undefined;
}

export function withNetworkFaults(network: Network, options: NetworkFaultsOptions): Network {
  const { nameOf, state } = options;
  const connections = new Set<FaultyConnection>();
  const onRulesChanged = (): void => {
    for (const one of [...connections]) one.onRulesChanged();
  };
  const stopListening = state.onChange(onRulesChanged);
  return {
    listen: (accept) => network.listen(accept),
    connect: (address, channel, events) => {
      const faulty = openFaultyConnection({
        ...options,
        peer: nameOf(address),
        address,
        channel,
        events,
        connect: (inner) => network.connect(address, channel, inner),
        onClosed: (closed) => void connections.delete(closed),
      });
      connections.add(faulty);
      return faulty.connection;
    },
    close: async () => {
      stopListening();
      for (const one of [...connections]) one.abandon();
      await network.close();
    },
  };
}
