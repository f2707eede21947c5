/** A workload: what clients do while faults happen. What they were told goes into the history. */
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

/** What every workload says. */
export interface Clients {
  /** Which cluster's nodes they talk to; the first one when it is not said. */
  readonly cluster?: string;
  readonly clients: number;
  /** How long a client waits between two requests. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** When they start, from the start of the faults' phase. */
  readonly fromMs: number;
  /** How long they go on; until the phase is over when it is not said. */
  readonly forMs?: number;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** What a workload runs in. */
export interface Run {
  readonly world: World;
  readonly history: History;
  /** Names this workload's clients apart from another's. */
  readonly name: string;
  readonly isOver: () => boolean;
}

export interface WorkloadRow<Kind extends { readonly kind: string }> {
  /** One line for the reference. */
  readonly says: string;
  readonly keys: Keys<Omit<Kind, "kind">>;
  /** Whether its clients may write documents. */
  readonly writes: (workload: Kind) => boolean;
  /** A random one; `undefined` where a scene has no place for it. */
  readonly draw: (scene: Scene) => Kind | undefined;
  /** Runs until `isOver`; resolves when every client has stopped. */
  readonly run: (workload: Kind, run: Run) => Promise<void>;
}
