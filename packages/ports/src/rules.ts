/**
 * Rules of faults, as data: the simulator's models, or the decorators of a real world's ports, carry them out.
 *
 * Nodes and paths are resolved names. A probability is given in thousandths (`perMille`), per event of the rule's
 * kind. A rule holds until it is withdrawn; rules marked *at once* act when they begin.
 */

/** Directed links, from each node of `from` to each node of `to`; with `both` also in the other direction. */
export interface Links {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly both: boolean;
}

export type NetworkRule =
  /** Frames are held back until the rule ends, as by a retransmitting sender. */
  | { readonly kind: "cut"; readonly links: Links }
  /** Each frame is delayed by a time between the two. */
  | {
      readonly kind: "delay";
      readonly links: Links;
      readonly lowMs: number;
      readonly highMs: number;
    }
  /** Frames are lost. A lost frame of a request or its answer breaks the connection; a one-way frame is lost alone. */
  | { readonly kind: "lose"; readonly links: Links; readonly perMille: number }
  /** One-way frames arrive twice. */
  | { readonly kind: "duplicate"; readonly links: Links; readonly perMille: number }
  /** One-way frames are overtaken by later ones. */
  | { readonly kind: "reorder"; readonly links: Links; readonly perMille: number }
  /** The bandwidth of each connection is limited. */
  | { readonly kind: "throttle"; readonly links: Links; readonly bytesPerSecond: number }
  /** A frame breaks its connection, and both ends are notified. */
  | { readonly kind: "reset"; readonly links: Links; readonly perMille: number }
  /** A frame breaks its connection, and neither end is notified: later frames vanish in it. */
  | { readonly kind: "half-open"; readonly links: Links; readonly perMille: number }
  /** A frame breaks its connection. The sender is notified at once, the other end when it sends; earlier frames arrive. */
  | { readonly kind: "half-reset"; readonly links: Links; readonly perMille: number }
  /** Frames of these actions vanish; the connection stays. A trailing `*` matches all actions with that prefix. */
  | {
      readonly kind: "drop";
      readonly links: Links;
      readonly actions: readonly string[];
      readonly perMille: number;
    }
  /** Requests of these actions are answered with 429, as by a node with full queues. */
  | {
      readonly kind: "reject";
      readonly links: Links;
      readonly actions: readonly string[];
      readonly perMille: number;
    };

/** `path` selects files of the node's data folder whose path contains it; empty for all. */
export type DiskRule =
  /** Writes fail, and usage reports no free space. */
  | { readonly kind: "disk-full"; readonly node: string }
  /** Each sync is delayed. */
  | { readonly kind: "disk-slow"; readonly node: string; readonly delayMs: number }
  /** A sync fails with an input/output error, and its contents are not durable. */
  | {
      readonly kind: "sync-fails";
      readonly node: string;
      readonly path: string;
      readonly perMille: number;
    }
  /**
   * A sync fails once, and later ones succeed without effect: the pages count as written out, reads return them, and a crash loses them
   * (fsync failures of Linux).
   */
  | {
      readonly kind: "pages-lost";
      readonly node: string;
      readonly path: string;
      readonly perMille: number;
    }
  /** Syncs succeed without making anything durable. */
  | { readonly kind: "sync-lies"; readonly node: string; readonly path: string }
  /** Writes are refused with a read-only error; reads succeed, and usage reports free space. */
  | { readonly kind: "read-only"; readonly node: string }
  /** At once: this many blocks of files are moved over other blocks, and leave zeros behind. */
  | {
      readonly kind: "misdirected-write";
      readonly node: string;
      readonly path: string;
      readonly blocks: number;
    }
  /** The next crash cuts unsynced contents in the middle of a write. */
  | { readonly kind: "torn-write"; readonly node: string; readonly path: string }
  /** At once: this many bits of the files are flipped. */
  | {
      readonly kind: "bit-rot";
      readonly node: string;
      readonly path: string;
      readonly bits: number;
    }
  /** Reads fail with an input/output error. */
  | {
      readonly kind: "read-error";
      readonly node: string;
      readonly path: string;
      readonly perMille: number;
    }
  /** The next crash undoes creations, renames and removals without a folder sync, even of files with synced contents. */
  | { readonly kind: "lost-name"; readonly node: string };

/** Rules of the NodeStore port. */
export type StoreRule =
  /** Writes to the node store fail. */
  | { readonly kind: "store-fails"; readonly node: string }
  /** Each write to the node store is delayed. */
  | { readonly kind: "store-slow"; readonly node: string; readonly delayMs: number }
  /** At once: this many bits of the node store are flipped, which the node notices at its next start. */
  | { readonly kind: "store-rot"; readonly node: string; readonly bits: number };

/** Rules of a node's processes, threads and clocks. Thread 0 is the main thread, the others are shard workers. */
export type NodeRule =
  /** The node is stopped until the rule ends, as by SIGSTOP or a long garbage collection. */
  | { readonly kind: "pause"; readonly node: string }
  /** Each message, timer and completion of the node is delayed. */
  | { readonly kind: "slow"; readonly node: string; readonly delayMs: number }
  /** A pause or a slowdown, as `pause` and `slow`, of one thread of the node. */
  | { readonly kind: "thread-pause"; readonly node: string; readonly thread: number }
  | {
      readonly kind: "thread-slow";
      readonly node: string;
      readonly thread: number;
      readonly delayMs: number;
    }
  /** Each turn of the thread's long work ends at its next look at the clock, and the next turn begins `restMs` later. */
  | {
      readonly kind: "short-turns";
      readonly node: string;
      readonly thread: number;
      readonly restMs: number;
    }
  /** At once: a shard worker dies in the middle of its work; the node lives on. */
  | { readonly kind: "worker-death"; readonly node: string; readonly thread: number }
  /** The wall clock is off by `offsetMs`, and runs faster (or slower) by `driftPerMillion`. */
  | {
      readonly kind: "clock-skew";
      readonly node: string;
      readonly offsetMs: number;
      readonly driftPerMillion: number;
    }
  /** The wall clock alternates between right and off by `offsetMs`, each for half of the period. */
  | {
      readonly kind: "clock-strobe";
      readonly node: string;
      readonly offsetMs: number;
      readonly periodMs: number;
    }
  /** At once: the wall clock jumps, and stays off when the rule ends. */
  | { readonly kind: "clock-jump"; readonly node: string; readonly offsetMs: number };

/** `path` selects blobs whose path contains it, `location` repositories (`isAtLocation`); empty for all. */
export type RepositoryRule =
  | {
      readonly kind: "repository-slow";
      readonly location: string;
      readonly path: string;
      readonly delayMs: number;
    }
  | {
      readonly kind: "repository-fails";
      readonly location: string;
      readonly path: string;
      readonly perMille: number;
    }
  /** Writes fail for lack of space. */
  | { readonly kind: "repository-full"; readonly location: string; readonly path: string }
  /** Reads find no blobs. */
  | { readonly kind: "repository-missing"; readonly location: string; readonly path: string }
  /** At once: bits of the blobs are flipped. */
  | {
      readonly kind: "repository-corrupt";
      readonly location: string;
      readonly path: string;
      readonly bits: number;
    };

export type Rule = NetworkRule | DiskRule | StoreRule | NodeRule | RepositoryRule;
export type RuleKind = Rule["kind"];
