/** Work that has begun and not ended, as its owner tells of it: for whoever looks whether a node that is left alone comes to rest. */

export interface Work {
  /**
   * `request`: an answer of another endpoint is awaited. `answer`: a request of another endpoint is being answered. `permit`: an operation
   * on a copy. `block`: a change of a copy as a whole, running or queued. `queued`: an operation behind such a change. `state`: a wait for a
   * cluster state.
   */
  readonly kind: "request" | "answer" | "permit" | "block" | "queued" | "state";
  /** Of this piece alone: no later one of the same owner has it. */
  readonly name: string;
}

/** Work under way, numbered as it begins. */
export interface WorkList {
  /** Returns what ends it. */
  begin(kind: Work["kind"], of?: string): () => void;
  all(): readonly Work[];
}

export function createWorkList(): WorkList {
  const open = new Map<number, { readonly kind: Work["kind"]; readonly of: string }>();
  let last = 0;
  return {
    begin: (kind, of = "") => {
      last += 1;
      const number = last;
      open.set(number, { kind, of });
      return () => void open.delete(number);
    },
    all: () => [...open].map(([number, { kind, of }]) => ({ kind, name: `${number}${of}` })),
  };
}
