/** A fault: what goes wrong, as data, and how it is done to a world. Starting it returns what ends it. */
import type { Keys } from "../shape.ts";
import type { Capability, Harm, World } from "../world.ts";
import type { Crash } from "./crash.ts";
import type { Delay } from "./delay.ts";
import type { Duplication } from "./duplication.ts";
import type { Loss } from "./loss.ts";
import type { Partition } from "./partition.ts";
import type { Reordering } from "./reordering.ts";

export type Fault = Crash | Partition | Delay | Loss | Duplication | Reordering;

export type FaultKind = Fault["kind"];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>;

export type FaultFamily = "node" | "clock" | "network" | "disk" | "repository" | "cluster";

/** One kind of fault: how it is written, and how it is done. */
export interface FaultRow<Kind extends { readonly kind: string }> {
  readonly family: FaultFamily;
  /** One line for the reference: what it does. */
  readonly says: string;
  /** Each of its properties besides `kind`. */
  readonly keys: Keys<Omit<Kind, "kind">>;
  /** What a world must be able to do. */
  readonly needs: readonly Capability[];
  /** It is over as soon as it is done: `to` and `for` say nothing. */
  readonly isInstant?: true;
  /** A plan that names this fault and cannot mean it: why, in a sentence. */
  readonly complaint?: (fault: Kind) => string | undefined;
  /** Called once. */
  readonly inject: (fault: Kind, world: World) => Promise<Injected>;
}

/** A fault at work: its `hits` are its receipt, and `end` is called once. */
export interface Injected extends Harm {
  /** What it was done to, for the trace. */
  readonly targets: readonly string[];
}
