/**
 * Ports of a node that may end at any moment while its process goes on (the world `memory`): an
 * operation that the ended node requests is not carried out, and no pending answer reaches it.
 */
import type { BlobStores, Clock, NodeStore } from "@orrery/ports";

/** Lifetime of one incarnation of a node within a process. */
export interface NodeLifetime {
  readonly hasEnded: boolean;
  end(): void;
  /** Calls the listener when the node ends; returns the function that unsubscribes it. */
  onEnd(listener: () => void): () => void;
}

export function createNodeLifetime(): NodeLifetime {
  let hasEnded = false;
  const listeners = new Set<() => void>();
  return {
    get hasEnded() {
      return hasEnded;
    },
    end: () => {
      hasEnded = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Clock whose pending timers are cancelled when the node ends. */
export function clockEndingWithNode(clock: Clock, lifetime: NodeLifetime): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, callback) => {
      if (lifetime.hasEnded) return () => undefined;
      const cancel = clock.setTimer(delayMs, () => {
        forget();
        callback();
      });
      const forget = lifetime.onEnd(cancel);
      return () => {
        forget();
        cancel();
      };
    },
  };
}

/**
 * NodeStore that accepts no write after the node's end; a write that completes later never
 * resolves.
 */
export function storeEndingWithNode(store: NodeStore, lifetime: NodeLifetime): NodeStore {
  const never = (): Promise<void> => new Promise(() => undefined);
  return {
    load: () => store.load(),
    write: async (batch) => {
      if (lifetime.hasEnded) return never();
      await store.write(batch);
      return lifetime.hasEnded ? never() : undefined;
    },
    close: () => store.close(),
  };
}

/**
 * Blob stores that start no operation after the node's end; operations started before never settle.
 */
export function blobsEndingWithNode(
  { types, open }: BlobStores,
  lifetime: NodeLifetime,
): BlobStores {
  const untilEnd = <T>(act: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lifetime.hasEnded) return;
      act().then(
        (value) => lifetime.hasEnded || resolve(value),
        (error: unknown) => lifetime.hasEnded || reject(error),
      );
    });
  return {
    types,
    open: (address) => {
      const store = open(address);
      return {
        list: (folder) => untilEnd(() => store.list(folder)),
        folders: (folder) => untilEnd(() => store.folders(folder)),
        read: (path, range) => untilEnd(() => store.read(path, range)),
        write: (path, bytes, how) => untilEnd(() => store.write(path, bytes, how)),
        remove: (paths) => untilEnd(() => store.remove(paths)),
        removeFolder: (folder) => untilEnd(() => store.removeFolder(folder)),
      };
    },
  };
}
