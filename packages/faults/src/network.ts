/**
 * The Network port with faults between this node and the ones it connects to.
 *
 * Whoever opened a connection carries its faults in both directions, so that each is disturbed once. Accepted connections are
 * left alone: at their other end there is such a decorator, too.
 */
import type { Clock, Network, Trace } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { openLine, type Line } from "./line.ts";

export interface NetworkFaultsOptions {
  readonly self: string;
  /** The name of the node at an address; the address itself when nobody knows. */
  readonly nameOf: (address: string) => string;
  readonly state: FaultState;
  readonly clock: Clock;
  readonly random: Random;
  /** Of connections and frames; `from` and `to` are names of nodes. */
  readonly trace?: Trace | undefined;
}

export function withNetworkFaults(network: Network, options: NetworkFaultsOptions): Network {
  const { nameOf, state } = options;
  const lines = new Set<Line>();
  const look = (): void => {
    for (const line of [...lines]) line.look();
  };
  const stopListening = state.onChange(look);
  return {
    listen: (accept) => network.listen(accept),
    connect: (address, channel, events) => {
      const line = openLine({
        ...options,
        peer: nameOf(address),
        address,
        channel,
        events,
        connect: (inner) => network.connect(address, channel, inner),
        onOver: (over) => void lines.delete(over),
      });
      lines.add(line);
      return line.connection;
    },
    close: async () => {
      stopListening();
      for (const line of [...lines]) line.abandon();
      await network.close();
    },
  };
}
