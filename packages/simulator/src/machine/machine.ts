/**
 * Port to the JavaScript engine that runs a simulation: draining of promises between two events, functions that are
 * sources of time or chance, and reports of unhandled rejections.
 */
export interface Machine {
  readonly promises: Promises;
  /** Sources of time or chance beyond those of every JavaScript engine. */
  readonly sources: readonly Source[];
  /** Calls the listener for each unhandled rejection; returns the function that unsubscribes it. */
  onUnhandled(listener: (error: unknown) => void): () => void;
}

/** Draining of promises between two events. */
export interface Promises {
  /** Drains the microtask queue synchronously; `undefined` if only a turn of the event loop drains it. */
  readonly settle: (() => void) | undefined;
  /** Calls `next` in a later turn of the event loop, as a callback of its own, when the microtask queue is empty. */
  later(next: () => void): void;
}

/** Function of the engine that a simulation must not call. */
export interface Source {
  readonly holder: object;
  readonly key: string;
  /** Name as a program writes it, such as `Date.now`. */
  readonly name: string;
}
