/**
 * The machine that a simulation runs on, as far as it has to know it: how promises go on between two events, which of its functions are
 * sources of time or chance, and how it tells of what was rejected and never handled.
 */
export interface Machine {
  readonly promises: Promises;
  /** Besides those that every JavaScript engine has. */
  readonly sources: readonly Source[];
  /** Calls for each promise that is rejected and has no handler; returns what ends it. */
  onUnhandled(listener: (error: unknown) => void): () => void;
}

/** What lets promises go on between two events. */
export interface Promises {
  /** Every promise that can go on has gone on when it returns; `undefined` where only a turn of the machine does that. */
  readonly settle: (() => void) | undefined;
  /** In a later turn of the machine, as a callback of its own, once every promise that could go on has gone on. */
  later(next: () => void): void;
}

/** A function of the machine that no simulation may call. */
export interface Source {
  readonly holder: object;
  readonly key: string;
  /** As a program writes it. */
  readonly name: string;
}
