/** Table of faults by kind. A new kind does not compile without its row. */
import type { World } from "../world.ts";
import { addNode } from "./add-node.ts";
import { bitRot } from "./bit-rot.ts";
import { bridge } from "./bridge.ts";
import { clockJump } from "./clock-jump.ts";
import { clockSkew } from "./clock-skew.ts";
import { clockStrobe } from "./clock-strobe.ts";
import { connectionReset } from "./connection-reset.ts";
import { crash } from "./crash.ts";
import { delay } from "./delay.ts";
import { diskFull } from "./disk-full.ts";
import { diskSlow } from "./disk-slow.ts";
import { dropMessages } from "./drop-messages.ts";
import { duplication } from "./duplication.ts";
import { halfOpen } from "./half-open.ts";
import { keepAliveExpiry } from "./keep-alive-expiry.ts";
import { kill } from "./kill.ts";
import { leaseExpiry } from "./lease-expiry.ts";
import { loseData } from "./lose-data.ts";
import { loss } from "./loss.ts";
import { lostDirectoryEntry } from "./lost-directory-entry.ts";
import { lostWrites } from "./lost-writes.ts";
import { majorityRing } from "./majority-ring.ts";
import { managerOverload } from "./manager-overload.ts";
import { misdirectedWrite } from "./misdirected-write.ts";
import { oneWay } from "./one-way.ts";
import { pagesLost } from "./pages-lost.ts";
import { partition } from "./partition.ts";
import { partitionHalves } from "./partition-halves.ts";
import { pause } from "./pause.ts";
import { readError } from "./read-error.ts";
import { readOnlyDisk } from "./read-only-disk.ts";
import { rejectedTasks } from "./rejected-tasks.ts";
import { removeNode } from "./remove-node.ts";
import { reordering } from "./reordering.ts";
import { repositoryCorruption } from "./repository-corruption.ts";
import { repositoryFailure } from "./repository-failure.ts";
import { repositoryFull } from "./repository-full.ts";
import { repositoryMissing } from "./repository-missing.ts";
import { repositorySlow } from "./repository-slow.ts";
import { restart } from "./restart.ts";
import { slowCpu } from "./slow-cpu.ts";
import { stop } from "./stop.ts";
import { storeFailure } from "./store-failure.ts";
import { storeRot } from "./store-rot.ts";
import { syncFailure } from "./sync-failure.ts";
import { threadPause } from "./thread-pause.ts";
import { shortTurns } from "./short-turns.ts";
import { threadSlow } from "./thread-slow.ts";
import { throttling } from "./throttling.ts";
import { tornWrite } from "./torn-write.ts";
import { workerDeath } from "./worker-death.ts";
import type { FaultKind, FaultOf, FaultRow, Injected } from "./fault.ts";

export const faults: { readonly [Kind in FaultKind]: FaultRow<FaultOf<Kind>> } = {
  crash,
  restart,
  kill,
  stop,
  pause,
  "slow-cpu": slowCpu,
  "thread-pause": threadPause,
  "thread-slow": threadSlow,
  "short-turns": shortTurns,
  "worker-death": workerDeath,
  "add-node": addNode,
  "remove-node": removeNode,
  "lose-data": loseData,
  "clock-skew": clockSkew,
  "clock-jump": clockJump,
  "clock-strobe": clockStrobe,
  partition,
  "partition-halves": partitionHalves,
  "majority-ring": majorityRing,
  bridge,
  "one-way": oneWay,
  delay,
  loss,
  duplication,
  reordering,
  throttling,
  "connection-reset": connectionReset,
  "half-open": halfOpen,
  "drop-messages": dropMessages,
  "disk-full": diskFull,
  "read-only-disk": readOnlyDisk,
  "disk-slow": diskSlow,
  "sync-failure": syncFailure,
  "pages-lost": pagesLost,
  "lost-writes": lostWrites,
  "store-failure": storeFailure,
  "store-rot": storeRot,
  "torn-write": tornWrite,
  "bit-rot": bitRot,
  "misdirected-write": misdirectedWrite,
  "read-error": readError,
  "lost-directory-entry": lostDirectoryEntry,
  "repository-slow": repositorySlow,
  "repository-failure": repositoryFailure,
  "repository-full": repositoryFull,
  "repository-missing": repositoryMissing,
  "repository-corruption": repositoryCorruption,
  "manager-overload": managerOverload,
  "rejected-tasks": rejectedTasks,
  "lease-expiry": leaseExpiry,
  "keep-alive-expiry": keepAliveExpiry,
};

export const faultKinds: readonly FaultKind[] = Object.keys(faults) as FaultKind[];

export function rowOf<Kind extends FaultKind>(fault: FaultOf<Kind>): FaultRow<FaultOf<Kind>> {
  return faults[fault.kind];
}

/** Injects a fault into a world; resolves with the handle that ends it. */
export function inject<Kind extends FaultKind>(
  fault: FaultOf<Kind>,
  world: World,
): Promise<Injected> {
  return rowOf(fault).inject(fault, world);
}
