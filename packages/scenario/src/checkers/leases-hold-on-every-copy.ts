/**
 * INV-REPL-13: what a retention lease of another cluster asks for is on every active copy of the shard, whether or not that copy
 * knows of the lease: the next primary may be any of them.
 */
import type { NewsEvent } from "../watchers.ts";
import type { RecordedEvent, World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";

type LeaseChange = Extract<RecordedEvent, { readonly kind: "retention-lease-changed" }>;
type Trimmed = Extract<RecordedEvent, { readonly kind: "history-trimmed" }>;
type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;

interface Shard {
  version: number;
  indexUuid: string;
  active: ReadonlySet<string>;
  /** Lowest sequence number that each lease retains. */
  readonly leases: Map<string, number>;
}

export const leasesHoldOnEveryCopy: Checker = {
  name: "leases-hold-on-every-copy",
  invariant: "INV-REPL-13",
  says: "What a lease of another cluster asks for is on every active copy, whether or not the copy knows of the lease.",
  excusedBy: [],
  complaint: ({ clusters }) =>
    clusters.length < 2 ? "there is no other cluster that could hold a lease" : undefined,
  isAlways: true,
  start: (world) => {
    const shards = new Map<string, Shard>();
    const shardOf = (event: LeaseChange | Trimmed | Copies): Shard => {
      const key = keyOf(world, event);
      const known = shards.get(key);
      if (known !== undefined) return known;
      const made: Shard = { version: 0, indexUuid: "", active: new Set(), leases: new Map() };
      shards.set(key, made);
      return made;
    };
    return (event) => judge(event, shardOf);
  },
};

function judge(
  event: NewsEvent,
  shardOf: (event: LeaseChange | Trimmed | Copies) => Shard,
): Finding {
  switch (event.kind) {
    case "shard-copies-changed":
      noteCopies(shardOf(event), event);
      return undefined;
    case "retention-lease-changed":
      noteLease(shardOf(event), event);
      return undefined;
    case "history-trimmed":
      return judgeTrim(shardOf(event), event);
    default:
      return undefined;
  }
}

/** A new history has no leases. */
function noteCopies(shard: Shard, event: Copies): void {
  if (event.version <= shard.version) return;
  const { version, indexUuid, active, recoverySource, inSync } = event;
  const isNew = recoverySource !== "" && recoverySource !== "EXISTING_STORE";
  if (isNew || indexUuid !== shard.indexUuid || inSync.includes("_forced_allocation_"))
    shard.leases.clear();
  shard.version = version;
  shard.indexUuid = indexUuid;
  shard.active = new Set(active.split(","));
}

function noteLease(shard: Shard, { lease, change, retainingSeqNo }: LeaseChange): void {
  if (change === "removed" || change === "expired") shard.leases.delete(lease);
  else shard.leases.set(lease, retainingSeqNo);
}

function judgeTrim(shard: Shard, event: Trimmed): Finding {
  const { allocationId, retainedFrom, node, index } = event;
  if (!shard.active.has(allocationId)) return undefined;
  for (const [lease, retaining] of shard.leases) {
    if (retainedFrom <= retaining) continue;
    return `the copy of ${index}/${event.shard} on ${node} keeps history from ${retainedFrom} on, and the lease [${lease}] asks for it from ${retaining} on`;
  }
  return undefined;
}

function keyOf(world: World, event: LeaseChange | Trimmed | Copies): string {
  return `${world.clusterOf(event.node)}/${event.index}/${event.shard}`;
}
