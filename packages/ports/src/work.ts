/** Work under way, as its owners report it: a simulation asks whether a node without clients comes to rest. */

/** A piece of work that has begun and not ended. */
export interface Work {
  /**
   * `request`: waiting for an answer of another endpoint. `answer`: answering a request of another endpoint.
   * `permit`: an operation on a copy. `block`: a change of a copy as a whole, running or queued. `queued`: an
   * operation behind such a change. `state`: waiting for a cluster state.
   */
  readonly kind: "request" | "answer" | "permit" | "block" | "queued" | "state";
  /** Unique: no later work of the same owner has this name. */
  readonly name: string;
}

/** A list of work under way, numbered as it begins. */
export interface WorkList {
  /** Adds work; the result removes it. */
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
