/** A node's network with counters of its connections and frames, for the section `transport` of `_nodes/stats`. */
import type { Connection, ConnectionEvents, Network } from "@orrery/ports";
import type { NodeStatsFacts } from "./cluster.ts";

export interface CountedNetwork {
  readonly network: Network;
  counts(): NonNullable<NodeStatsFacts["transport"]>;
}

/** The same network, counted. Frames that found no room are not counted. */
export function countedNetwork(network: Network): CountedNetwork {
  const sums = {
    serverOpen: 0,
    totalOutboundConnections: 0,
    rxCount: 0,
    rxSizeBytes: 0,
    txCount: 0,
    txSizeBytes: 0,
  };
  const outgoing = (connection: Connection): Connection => ({
    channel: connection.channel,
    remote: connection.remote,
    send(frame) {
      const result = connection.send(frame);
      if (result === "accepted") {
        sums.txCount += 1;
        sums.txSizeBytes += frame.length;
      }
      return result;
    },
    close: () => connection.close(),
  });
  const incoming = (events: ConnectionEvents, closed: () => void): ConnectionEvents => ({
    onOpen: () => events.onOpen?.(),
    onFrame(frame) {
      sums.rxCount += 1;
      sums.rxSizeBytes += frame.length;
      events.onFrame(frame);
    },
    onClose(reason) {
      closed();
      events.onClose(reason);
    },
    onDrain: () => events.onDrain?.(),
  });
  return {
    network: {
      listen: (accept) =>
        network.listen((connection) => {
          sums.serverOpen += 1;
          return incoming(accept(outgoing(connection)), () => {
            sums.serverOpen -= 1;
          });
        }),
      connect(address, channel, events) {
        const counted = incoming(events, () => undefined);
        const onOpen = (): void => {
          sums.totalOutboundConnections += 1;
          events.onOpen?.();
        };
        return outgoing(network.connect(address, channel, { ...counted, onOpen }));
      },
      close: () => network.close(),
    },
    counts: () => ({ ...sums }),
  };
}
