/** Workload: the requests of clients while faults happen. Their outcomes are recorded in the history. */
import type { Scene } from "../explore/scene.ts";
import type { History } from "../history.ts";
import type { Keys } from "../shape.ts";
import type { World } from "../world.ts";
import type { Application } from "./application.ts";
import type { Bulk } from "./bulk.ts";
import type { NewIndices } from "./new-indices.ts";
import type { Pages } from "./pages.ts";
import type { Registers } from "./registers.ts";
import type { Requests } from "./requests.ts";
import type { Search } from "./search.ts";

export type Workload = Application | Bulk | NewIndices | Pages | Registers | Requests | Search;
export type WorkloadKind = Workload["kind"];
export type WorkloadOf<Kind extends WorkloadKind> = Extract<Workload, { readonly kind: Kind }>;

/** Keys of every workload. */
export interface Clients {
  /** Cluster whose nodes receive the requests; the first if `undefined`. */
  readonly cluster?: string;
  readonly clients: number;
  /** Pause of a client between two requests. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Start, from the start of the fault phase. */
  readonly fromMs: number;
  /** Duration; `undefined`: until the end of the phase. */
  readonly forMs?: number;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Context of a workload. */
export interface Run {
  readonly world: World;
  readonly history: History;
  /** Name that distinguishes this workload's clients from those of others. */
  readonly name: string;
  readonly isOver: () => boolean;
}

/** Row of one kind of workload. */
export interface WorkloadRow<Kind extends { readonly kind: string }> {
  /** One line for the reference. */
  readonly says: string;
  readonly keys: Keys<Omit<Kind, "kind">>;
  /** True if its clients may write documents. */
  readonly writes: (workload: Kind) => boolean;
  /** Draws a random instance; `undefined` if the scene has no place for one. */
  readonly draw: (scene: Scene) => Kind | undefined;
  /** Runs until `isOver`; resolves when every client has stopped. */
  readonly run: (workload: Kind, run: Run) => Promise<void>;
}
