/** Ports behind a gate: none of their events reaches a node, or a thread of it, while it is paused. */
import type { BlobStore, BlobStores, Clock, ConnectionEvents, Disk, Network } from "@orrery/ports";
import type { Passage } from "./gate.ts";

/** Network behind a gate: frames and connection events wait; sending does not. */
export function gatedNetwork(network: Network, gate: Passage): Network {
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

function gatedEvents(gate: Passage) {
  let isClosing = false;
  const own = {
    events: undefined as ConnectionEvents | undefined,
    /** Wraps `close`: of the events that still wait at the gate afterwards only `onClose` reaches the node. */
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

/** Blob stores behind a gate: operations take effect during a pause, and their results wait. */
export function gatedBlobs({ types, open }: BlobStores, gate: Passage): BlobStores {
  return {
    types,
    open: (address) => {
      const store: BlobStore = open(address);
      return {
        list: (folder) => held(store.list(folder), gate),
        folders: (folder) => held(store.folders(folder), gate),
        read: (path, range) => held(store.read(path, range), gate),
        write: (path, bytes, how) => held(store.write(path, bytes, how), gate),
        remove: (paths) => held(store.remove(paths), gate),
        removeFolder: (folder) => held(store.removeFolder(folder), gate),
      };
    },
  };
}

/** Disk behind a gate: operations take effect during a pause; only their completions wait. */
export function gatedDisk(disk: Disk, gate: Passage): Disk {
  return {
    ...disk,
    sync: (paths) => held(disk.sync(paths), gate),
    syncFolder: (folder) => held(disk.syncFolder(folder), gate),
  };
}

/** Clock behind a gate: timers that are due wait at the gate, and those cancelled meanwhile never fire. */
export function gatedClock(clock: Clock, gate: Passage): Clock {
  return {
    ...clock,
    areTurnsShort: gate.areTurnsShort,
    setTimer: (delayMs, callback) => {
      let isCancelled = false;
      // A timer without a delay separates two turns of long work; short turns rest longer between them.
      const cancel = clock.setTimer(delayMs === 0 ? gate.restMs : delayMs, () =>
        gate.pass(() => {
          if (!isCancelled) callback();
        }),
      );
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
}

function held<T>(done: Promise<T>, gate: Passage): Promise<T> {
  return new Promise((resolve, reject) => {
    done.then(
      (value) => gate.pass(() => resolve(value)),
      (error: unknown) => gate.pass(() => reject(error)),
    );
  });
}
