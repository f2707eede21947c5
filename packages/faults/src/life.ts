/**
 * Ports of a node that may end at any moment while its process goes on (the world `memory`): an
 * operation that the ended node requests is not carried out, and no pending answer reaches it.
 */
import type { BlobStores, Clock, NodeStore } from "@orrery/ports";

export interface Life {
  readonly isOver: boolean;
  end(): void;
  /** Calls the listener when the node ends; returns the function that unsubscribes it. */
  onEnd(listener: () => void): () => void;
}

export function createLife(): Life {
  let isOver = false;
  const listeners = new Set<() => void>();
  return {
    get isOver() {
      return isOver;
    },
    end: () => {
      isOver = true;
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
export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, callback) => {
      if (life.isOver) return () => undefined;
      const cancel = clock.setTimer(delayMs, () => {
        forget();
        callback();
      });
      const forget = life.onEnd(cancel);
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
export function mortalStore(store: NodeStore, life: Life): NodeStore {
  const never = (): Promise<void> => new Promise(() => undefined);
  return {
    load: () => store.load(),
    write: async (batch) => {
      if (life.isOver) return never();
      await store.write(batch);
      return life.isOver ? never() : undefined;
    },
    close: () => store.close(),
  };
}

/**
 * Blob stores that start no operation after the node's end; operations started before never settle.
 */
export function mortalBlobs({ types, open }: BlobStores, life: Life): BlobStores {
  const asLongAsItLives = <T>(act: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (life.isOver) return;
      act().then(
        (value) => life.isOver || resolve(value),
        (error: unknown) => life.isOver || reject(error),
      );
    });
  return {
    types,
    open: (address) => {
      const store = open(address);
      return {
        list: (folder) => asLongAsItLives(() => store.list(folder)),
        folders: (folder) => asLongAsItLives(() => store.folders(folder)),
        read: (path, range) => asLongAsItLives(() => store.read(path, range)),
        write: (path, bytes, how) => asLongAsItLives(() => store.write(path, bytes, how)),
        remove: (paths) => asLongAsItLives(() => store.remove(paths)),
        removeFolder: (folder) => asLongAsItLives(() => store.removeFolder(folder)),
      };
    },
  };
}
