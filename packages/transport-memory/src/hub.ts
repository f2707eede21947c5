/**
 * The hub through which the nodes of one process connect: an address is a name, a connection a pair of inboxes.
 *
 * The hub uses no timers: a task of a later turn is a microtask, unless the world brings another `schedule`.
 */
import type { Connection, ConnectionEvents, Network } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import { createPair, type End, type Schedule } from "./connection.ts";

export interface MemoryHubOptions {
  /** Bytes that one direction of a connection may queue before `send` returns `full`; default: 32 MiB. */
  readonly queueBytes?: number;
  readonly schedule?: Schedule;
}

export interface MemoryHub {
  /** Creates the network of a node; `listen` takes the address, which must be free on this hub. */
  network(address: string): Network;
}

type Accept = (connection: Connection) => ConnectionEvents;

/** The state that the nodes of one hub share. */
interface Hub {
  readonly listeners: Map<string, Listener>;
  readonly schedule: Schedule;
  readonly queueBytes: number;
}

interface Listener {
  readonly accept: Accept;
  readonly ends: Set<End>;
}

const defaultQueueBytes = 32 * 1024 * 1024;

export function createMemoryHub(options: MemoryHubOptions = {}): MemoryHub {
  const hub: Hub = {
    listeners: new Map(),
    schedule: options.schedule ?? inMicrotask,
    queueBytes: options.queueBytes ?? defaultQueueBytes,
  };
  return { network: (address) => createNetwork(hub, address) };
}

function createNetwork(hub: Hub, local: string): Network {
  const ends = new Set<End>();
  let listener: Listener | undefined;
  let isClosed = false;
  return {
    async listen(accept) {
      if (hub.listeners.has(local)) throw addressTaken(local);
      listener = { accept, ends };
      hub.listeners.set(local, listener);
      return local;
    },
    connect(address, channel, events) {
      let farEnds: Set<End> | undefined;
      const { schedule, queueBytes } = hub;
      const common = { channel, schedule, queueBytes };
      const [near, far] = createPair(
        { ...common, remote: address, onClosed: (end) => void ends.delete(end) },
        { ...common, remote: local, onClosed: (end) => void farEnds?.delete(end) },
      );
      near.attach(events);
      ends.add(near);
      hub.schedule(() => {
        if (near.isClosed) return;
        const peer = isClosed ? undefined : hub.listeners.get(address);
        if (peer === undefined) {
          near.refuse(`connection to [${address}] refused`);
          return;
        }
        farEnds = peer.ends;
        farEnds.add(far);
        far.attach(peer.accept(far.connection));
        far.open();
        near.open();
      });
      return near.connection;
    },
    async close() {
      isClosed = true;
      if (listener !== undefined && hub.listeners.get(local) === listener) {
        hub.listeners.delete(local);
      }
      for (const end of [...ends]) end.connection.close();
      await new Promise<void>((resolve) => {
        hub.schedule(resolve);
      });
    },
  };
}

function inMicrotask(task: () => void): void {
  void Promise.resolve().then(task);
}

function addressTaken(address: string): OperationError {
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${address}]: the address is in use`,
    status: 500,
  });
}
