/** Fault: an injected failure as data, and its injection into a world, which returns the handle that ends it. */
import type { Casualty, Scene } from "../explore/scene.ts";
import type { Keys } from "../shape.ts";
import type { Capability, AppliedRule, World } from "../world.ts";
import type { AddNode } from "./add-node.ts";
import type { BitRot } from "./bit-rot.ts";
import type { Bridge } from "./bridge.ts";
import type { ClockJump } from "./clock-jump.ts";
import type { ClockSkew } from "./clock-skew.ts";
import type { ClockStrobe } from "./clock-strobe.ts";
import type { ConnectionReset } from "./connection-reset.ts";
import type { Crash } from "./crash.ts";
import type { Delay } from "./delay.ts";
import type { DiskFull } from "./disk-full.ts";
import type { DiskSlow } from "./disk-slow.ts";
import type { DropMessages } from "./drop-messages.ts";
import type { Duplication } from "./duplication.ts";
import type { HalfOpen } from "./half-open.ts";
import type { KeepAliveExpiry } from "./keep-alive-expiry.ts";
import type { Kill } from "./kill.ts";
import type { LeaseExpiry } from "./lease-expiry.ts";
import type { LoseData } from "./lose-data.ts";
import type { Loss } from "./loss.ts";
import type { LostDirectoryEntry } from "./lost-directory-entry.ts";
import type { LostWrites } from "./lost-writes.ts";
import type { MajorityRing } from "./majority-ring.ts";
import type { ManagerOverload } from "./manager-overload.ts";
import type { MisdirectedWrite } from "./misdirected-write.ts";
import type { OneWay } from "./one-way.ts";
import type { PagesLost } from "./pages-lost.ts";
import type { Partition } from "./partition.ts";
import type { PartitionHalves } from "./partition-halves.ts";
import type { Pause } from "./pause.ts";
import type { ReadError } from "./read-error.ts";
import type { ReadOnlyDisk } from "./read-only-disk.ts";
import type { RejectedTasks } from "./rejected-tasks.ts";
import type { RemoveNode } from "./remove-node.ts";
import type { Reordering } from "./reordering.ts";
import type { RepositoryCorruption } from "./repository-corruption.ts";
import type { RepositoryFailure } from "./repository-failure.ts";
import type { RepositoryFull } from "./repository-full.ts";
import type { RepositoryMissing } from "./repository-missing.ts";
import type { RepositorySlow } from "./repository-slow.ts";
import type { Restart } from "./restart.ts";
import type { SlowCpu } from "./slow-cpu.ts";
import type { Stop } from "./stop.ts";
import type { StoreFailure } from "./store-failure.ts";
import type { StoreRot } from "./store-rot.ts";
import type { SyncFailure } from "./sync-failure.ts";
import type { ThreadPause } from "./thread-pause.ts";
import type { ShortTurns } from "./short-turns.ts";
import type { ThreadSlow } from "./thread-slow.ts";
import type { Throttling } from "./throttling.ts";
import type { TornWrite } from "./torn-write.ts";
import type { WorkerDeath } from "./worker-death.ts";

export type Fault =
  | Crash
  | Restart
  | Kill
  | Stop
  | Pause
  | SlowCpu
  | ThreadPause
  | ThreadSlow
  | ShortTurns
  | WorkerDeath
  | AddNode
  | RemoveNode
  | LoseData
  | ClockSkew
  | ClockJump
  | ClockStrobe
  | Partition
  | PartitionHalves
  | MajorityRing
  | Bridge
  | OneWay
  | Delay
  | Loss
  | Duplication
  | Reordering
  | Throttling
  | ConnectionReset
  | HalfOpen
  | DropMessages
  | DiskFull
  | ReadOnlyDisk
  | DiskSlow
  | SyncFailure
  | PagesLost
  | LostWrites
  | StoreFailure
  | StoreRot
  | TornWrite
  | BitRot
  | MisdirectedWrite
  | ReadError
  | LostDirectoryEntry
  | RepositorySlow
  | RepositoryFailure
  | RepositoryFull
  | RepositoryMissing
  | RepositoryCorruption
  | ManagerOverload
  | RejectedTasks
  | LeaseExpiry
  | KeepAliveExpiry;

export type FaultKind = Fault["kind"];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>;

/** Group of a fault in the reference. */
export type FaultFamily = "node" | "clock" | "network" | "disk" | "repository" | "cluster";

export interface PlanSize {
  /** Number of nodes of the largest cluster. */
  readonly size: number;
  /** Names of all nodes. */
  readonly nodes: readonly string[];
}

/** Row of one kind of fault: its written form, its effect, and how exploration draws it. */
export interface FaultRow<Kind extends { readonly kind: string }> {
  readonly family: FaultFamily;
  /** One line for the reference: the effect of the fault. */
  readonly says: string;
  /** Properties of the fault besides `kind`. */
  readonly keys: Keys<Omit<Kind, "kind">>;
  /** Capabilities that a world must have. */
  readonly needs: readonly Capability[];
  /** The fault ends with its injection: `to` and `for` have no meaning. */
  readonly isInstant?: true;
  /** Reason why a plan of this size cannot have this fault, in a sentence; `undefined` if it can. */
  readonly complaint?: (fault: Kind, about: PlanSize) => string | undefined;
  /** Draws a random instance; `undefined` if the scene has no place for one. */
  readonly draw: (scene: Scene) => Omit<Kind, "kind"> | undefined;
  /** Permanent losses that the fault may cause. */
  readonly casualties?: readonly Casualty[];
  /** Injects the fault; called once for each occurrence. */
  readonly inject: (fault: Kind, world: World) => Promise<Injected>;
}

/** Injected fault: `hits` gives its receipt, and `end` is called once. */
export interface Injected extends AppliedRule {
  /** Affected nodes or links, for the trace. */
  readonly targets: readonly string[];
}
