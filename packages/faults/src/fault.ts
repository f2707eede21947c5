/**
 * What can go wrong at the ports of a node, as plain data: a list of these is all that its decorators know.
 *
 * The same list goes to every node of a cluster. Nodes go by their names; `*` is every node, and in `path` and `action` any text.
 */

/** Traffic from these nodes to those. Both ways, unless it is one-way. */
export interface Between {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly oneWay?: boolean;
}

interface At {
  readonly nodes: readonly string[];
}

interface OnFiles extends At {
  /** Files whose path matches; all of them when it is not said. */
  readonly path?: string;
}

/** Out of a thousand; always when it is not said. */
interface Sometimes {
  readonly perMille?: number;
}

export type NetworkFault =
  /** Nothing gets through; what was sent waits, as a sender that repeats itself would have it. */
  | ({ readonly kind: "partition" } & Between)
  /** Every frame travels longer, by a time drawn between the two. */
  | ({ readonly kind: "delay"; readonly lowMs: number; readonly highMs: number } & Between)
  /** A one-way frame vanishes; one that belongs to a request takes its connection with it. */
  | ({ readonly kind: "loss" } & Between & Sometimes)
  /** One-way frames arrive twice. */
  | ({ readonly kind: "duplication" } & Between & Sometimes)
  /** One-way frames are overtaken by what was sent up to so long after them. */
  | ({ readonly kind: "reordering"; readonly byMs: number } & Between & Sometimes)
  | ({ readonly kind: "throttling"; readonly bytesPerSecond: number } & Between)
  /** Every connection there is breaks, once. */
  | ({ readonly kind: "reset" } & Between)
  /** Frames of an action vanish, and whoever waits for an answer waits for his timeout. */
  | ({ readonly kind: "drop"; readonly action: string } & Between & Sometimes);

export type DiskFault =
  | ({ readonly kind: "disk-full" } & At)
  /** Each sync takes so much longer. */
  | ({ readonly kind: "slow-disk"; readonly delayMs: number } & OnFiles)
  | ({ readonly kind: "failing-sync" } & OnFiles & Sometimes)
  /** A write leaves a part of its bytes and fails. */
  | ({ readonly kind: "torn-write" } & OnFiles & Sometimes)
  | ({ readonly kind: "read-error" } & OnFiles & Sometimes)
  /** One bit of each of so many files changes, once. */
  | ({ readonly kind: "bit-rot"; readonly files: number } & OnFiles)
  /** So many files are no longer found, once. */
  | ({ readonly kind: "lost-entry"; readonly files: number } & OnFiles);

export type StoreFault =
  /** What the node must keep cannot be written. */
  | ({ readonly kind: "store-failing" } & At)
  | ({ readonly kind: "slow-store"; readonly delayMs: number } & At);

export type ClockFault =
  /** The wall clock shows another time. */
  | ({ readonly kind: "clock-skew"; readonly offsetMs: number } & At)
  /** Time passes at another rate, in thousandths of the true one. */
  | ({ readonly kind: "clock-drift"; readonly ratePerMille: number } & At);

export type NodeFault =
  /** Everything the node does is so late: timers, frames, syncs. */
  | ({ readonly kind: "slow"; readonly delayMs: number } & At)
  /** Nothing happens on the node until the fault ends. */
  | ({ readonly kind: "pause" } & At);

/** `id` is unique among all faults of a run: what happens once happens once for each id. */
export type PortFault = { readonly id: string } & (
  | NetworkFault
  | DiskFault
  | StoreFault
  | ClockFault
  | NodeFault
);

export type PortFaultKind = PortFault["kind"];
export type FaultOf<Kind extends PortFaultKind> = Extract<PortFault, { readonly kind: Kind }>;
