/** A node's ports behind its gate: nothing of them reaches the node while it is paused. */
import type { BlobStore, BlobStores, ConnectionEvents, Network } from "@orrery/ports";
import type { Gate } from "./gate.ts";

export function gatedNetwork(network: Network, gate: Gate): Network {
  return {
    listen: (accept) =>
      network.listen((connection) => {
        const own = gatedEvents(gate);
        own.events = accept({ ...connection, close: own.closing(() => connection.close()) });
        return own.gated;
      }),
    connect: (address, channel, events) => {
      const own = gatedEvents(gate);
      own.events = events;
      const connection = network.connect(address, channel, own.gated);
      return { ...connection, close: own.closing(() => connection.close()) };
    },
    close: () => network.close(),
  };
}

function gatedEvents(gate: Gate) {
  let isClosing = false;
  const own = {
    events: undefined as ConnectionEvents | undefined,
    /** What waits when the node closes the connection never reaches it. */
    closing: (close: () => void) => (): void => {
      isClosing = true;
      close();
    },
    gated: {
      onOpen: () => pass(() => own.events?.onOpen?.()),
      onFrame: (frame: Uint8Array) => {
        if (gate.isOpen) own.events?.onFrame(frame);
        else pass(() => own.events?.onFrame(frame));
      },
      onClose: (reason: string) => gate.pass(() => own.events?.onClose(reason)),
      onDrain: () => pass(() => own.events?.onDrain?.()),
    },
  };
  const pass = (action: () => void): void =>
    gate.pass(() => {
      if (!isClosing) action();
    });
  return own;
}

export function gatedBlobs({ types, open }: BlobStores, gate: Gate): BlobStores {
  const held = <T>(done: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      done.then(
        (value) => gate.pass(() => resolve(value)),
        (error: unknown) => gate.pass(() => reject(error)),
      );
    });
  return {
    types,
    open: (address) => {
      const store: BlobStore = open(address);
      return {
        list: (folder) => held(store.list(folder)),
        folders: (folder) => held(store.folders(folder)),
        read: (path, range) => held(store.read(path, range)),
        write: (path, bytes, how) => held(store.write(path, bytes, how)),
        remove: (paths) => held(store.remove(paths)),
        removeFolder: (folder) => held(store.removeFolder(folder)),
      };
    },
  };
}
