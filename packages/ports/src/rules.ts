/**
 * What a fault asks of a world, as data: the simulator's models, or the decorators of a real world's ports, carry it out.
 *
 * Nodes and paths are names that exist; whoever wrote the rule has resolved selectors. Probabilities are in thousandths.
 */

/** Frames from these nodes to those nodes; `both`: also the other way. */
export interface Links {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly both: boolean;
}

export type NetworkRule =
  /** Nothing gets through: frames are held back, as a retransmitting sender would, until the rule ends. */
  | { readonly kind: "cut"; readonly links: Links }
  /** Each frame travels so much longer. */
  | {
      readonly kind: "delay";
      readonly links: Links;
      readonly lowMs: number;
      readonly highMs: number;
    }
  /** A lost frame that has an answer breaks its connection; a one-way frame is lost alone. */
  | { readonly kind: "lose"; readonly links: Links; readonly perMille: number }
  /** One-way frames arrive twice. */
  | { readonly kind: "duplicate"; readonly links: Links; readonly perMille: number }
  /** One-way frames are overtaken by later ones. */
  | { readonly kind: "reorder"; readonly links: Links; readonly perMille: number }
  /** A connection carries no more than this in a second. */
  | { readonly kind: "throttle"; readonly links: Links; readonly bytesPerSecond: number }
  /** A frame breaks its connection: both ends hear of it. */
  | { readonly kind: "reset"; readonly links: Links; readonly perMille: number }
  /** A frame makes its connection a dead one that neither end hears of: nothing gets through it, and no news of its end. */
  | { readonly kind: "half-open"; readonly links: Links; readonly perMille: number }
  /** A frame breaks its connection, of which the sender hears at once, the other end when it sends: what was sent before arrives. */
  | { readonly kind: "half-reset"; readonly links: Links; readonly perMille: number }
  /** Frames of these actions vanish; the connection stays. An action that ends in `*` means all that start so. */
  | {
      readonly kind: "drop";
      readonly links: Links;
      readonly actions: readonly string[];
      readonly perMille: number;
    }
  /** Requests of these actions are answered with 429, as a node does whose queues are full. */
  | {
      readonly kind: "reject";
      readonly links: Links;
      readonly actions: readonly string[];
      readonly perMille: number;
    };

/** `path`: files of a node's data folder whose path contains this; empty for all. */
export type DiskRule =
  /** Writes fail, and usage shows no room. */
  | { readonly kind: "disk-full"; readonly node: string }
  /** Each sync takes so much longer. */
  | { readonly kind: "disk-slow"; readonly node: string; readonly delayMs: number }
  /** A sync fails with an input/output error; what it was for is not durable. */
  | {
      readonly kind: "sync-fails";
      readonly node: string;
      readonly path: string;
      readonly perMille: number;
    }
  /**
   * A sync fails once and then lies: what it was for counts as written out, is read as it was written for as long as the power holds,
   * and is not there after a crash.
   */
  | {
      readonly kind: "pages-lost";
      readonly node: string;
      readonly path: string;
      readonly perMille: number;
    }
  /** Syncs succeed, and nothing is durable. */
  | { readonly kind: "sync-lies"; readonly node: string; readonly path: string }
  /** Every write is refused; reads go on, and there is room. */
  | { readonly kind: "read-only"; readonly node: string }
  /** At once: so many blocks of files lie in place of others, which are gone, and zeros where they belong. */
  | {
      readonly kind: "misdirected-write";
      readonly node: string;
      readonly path: string;
      readonly blocks: number;
    }
  /** At the next crash what was not synced is cut somewhere in the middle of a write. */
  | { readonly kind: "torn-write"; readonly node: string; readonly path: string }
  /** At once: this many bits of the files turn. */
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
  /** At the next crash creations, renames and removals that were not synced are undone, although the files' contents were. */
  | { readonly kind: "lost-name"; readonly node: string };

export type StoreRule =
  /** What a node must keep of the cluster cannot be written. */
  | { readonly kind: "store-fails"; readonly node: string }
  /** Each write of it takes so much longer. */
  | { readonly kind: "store-slow"; readonly node: string; readonly delayMs: number }
  /** At once: this many bits turn of what a node keeps of the cluster. Nobody notices before the node starts again. */
  | { readonly kind: "store-rot"; readonly node: string; readonly bits: number };

export type NodeRule =
  /** Nothing happens on the node until the rule ends: as a stopped process, or a long collection of garbage. */
  | { readonly kind: "pause"; readonly node: string }
  /** Whatever the node does takes so much longer. */
  | { readonly kind: "slow"; readonly node: string; readonly delayMs: number }
  /** As `pause` and `slow`, of one thread of the node alone: 0 is its main thread, the others are its shard workers. */
  | { readonly kind: "thread-pause"; readonly node: string; readonly thread: number }
  | {
      readonly kind: "thread-slow";
      readonly node: string;
      readonly thread: number;
      readonly delayMs: number;
    }
  /** Each turn of the thread's long work ends at its next look at the clock, and others go on for so long. */
  | {
      readonly kind: "short-turns";
      readonly node: string;
      readonly thread: number;
      readonly restMs: number;
    }
  /** At once: a shard worker ends in the middle of what it does, and the node goes on. */
  | { readonly kind: "worker-death"; readonly node: string; readonly thread: number }
  /** The wall clock is off by so much, and runs faster (or slower) by so many millionths. */
  | {
      readonly kind: "clock-skew";
      readonly node: string;
      readonly offsetMs: number;
      readonly driftPerMillion: number;
    }
  /** The wall clock is right and off by so much in turn, each for half of the period. */
  | {
      readonly kind: "clock-strobe";
      readonly node: string;
      readonly offsetMs: number;
      readonly periodMs: number;
    }
  /** At once: the wall clock jumps; it does not jump back. */
  | { readonly kind: "clock-jump"; readonly node: string; readonly offsetMs: number };

/** `path`: blobs whose path contains this; empty for all. `location`: of the repository, empty for all. */
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
  /** Nothing more can be written. */
  | { readonly kind: "repository-full"; readonly location: string; readonly path: string }
  /** Blobs are not found. */
  | { readonly kind: "repository-missing"; readonly location: string; readonly path: string }
  /** At once: bits of the blobs turn. */
  | {
      readonly kind: "repository-corrupt";
      readonly location: string;
      readonly path: string;
      readonly bits: number;
    };

export type Rule = NetworkRule | DiskRule | StoreRule | NodeRule | RepositoryRule;
export type RuleKind = Rule["kind"];
