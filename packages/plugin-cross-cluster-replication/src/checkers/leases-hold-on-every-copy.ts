/**
 * Checker of INV-REPL-13: every active copy of a shard keeps the history that a retention lease of another cluster
 * retains, whether or not that copy knows the lease, since any of them may be the next primary. A follower's lease
 * retains everything beyond the follower's global checkpoint, since its next primary may lack the rest. After the
 * cluster has healed, replicas know the same leases as their primary.
 */
import { compareText, isJsonObject, type Json } from "@orrery/stdx";
import {
  at,
  newClient,
  type Checker,
  type Finding,
  type NewsEvent,
  type RecordedEvent,
  type World,
} from "@orrery/scenario/checker";

type LeaseChange = Extract<RecordedEvent, { readonly kind: "retention-lease-changed" }>;
type Trimmed = Extract<RecordedEvent, { readonly kind: "history-trimmed" }>;
type Progress = Extract<RecordedEvent, { readonly kind: "remote-replication-checkpoint" }>;
type Copies = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;

interface Shard {
  version: number;
  indexUuid: string;
  active: ReadonlySet<string>;
  /** Lowest retained sequence number, by lease. */
  readonly leases: Map<string, number>;
}

/** The checker of INV-REPL-13. It judges events during the whole run, and the final leases at its end. */
export const leasesHoldOnEveryCopy: Checker = {
  name: "leases-hold-on-every-copy",
  invariant: "INV-REPL-13",
  says: "What a lease of another cluster asks for is on every active copy, whether or not the copy knows of the lease; the lease of an index that follows asks for all that is behind its global checkpoint.",
  excusedBy: [],
  after: "acknowledged-changes-are-everywhere",
  complaint: ({ clusters }) =>
    clusters.length < 2 ? "there is no other cluster that could hold a lease" : undefined,
  isAlways: true,
  finish: async (world, plan) => {
    for (const { name } of plan.clusters) {
      const says = await checkLeasesConverge(world, name);
      if (says !== undefined) return says;
    }
    return undefined;
  },
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
    const reported = new Map<string, number>();
    // Real nodes send events in batches, so an event may arrive before one of another node that caused it; order is
    // only judged in simulation.
    const isInOrder = world.name === "sim";
    return (event) => {
      if (event.kind === "remote-replication-checkpoint") recordCheckpoint(world, reported, event);
      return checkEvent(event, shardOf) ?? (isInOrder ? checkRenewal(reported, event) : undefined);
    };
  },
};

function checkEvent(
  event: NewsEvent,
  shardOf: (event: LeaseChange | Trimmed | Copies) => Shard,
): Finding {
  switch (event.kind) {
    case "shard-copies-changed":
      recordCopies(shardOf(event), event);
      return undefined;
    case "retention-lease-changed":
      recordLease(shardOf(event), event);
      return undefined;
    case "history-trimmed":
      return checkTrim(shardOf(event), event);
    default:
      return undefined;
  }
}

const LOOK_EVERY_MS = 2000;
/**
 * Longer than the interval at which primaries send leases to their replicas
 * (`index.soft_deletes.retention_lease.sync_interval`, 30 s).
 */
const LEASE_SYNC_MS = 90_000;

/** Waits until every active copy knows the leases of other clusters as its primary does. */
async function checkLeasesConverge(world: World, cluster: string): Promise<Finding> {
  const untilMs = world.nowMs() + LEASE_SYNC_MS;
  for (;;) {
    const says = await findLeaseDifference(world, cluster);
    if (says === undefined || world.nowMs() >= untilMs) return says;
    await world.sleep(LOOK_EVERY_MS);
  }
}

async function findLeaseDifference(world: World, cluster: string): Promise<Finding> {
  const [node = ""] = world.running(cluster);
  const uri = "/_stats?level=shards";
  const answer = await world.request(newClient("leases"), node, {
    method: "GET",
    uri,
    timeoutMs: 30_000,
  });
  const indices = at(answer?.body, "indices");
  for (const [index, stats] of entriesOf(indices)) {
    for (const [shard, copies] of entriesOf(at(stats, "shards"))) {
      if (!Array.isArray(copies)) continue;
      const known = (copies as readonly Json[]).map((copy) => ({
        isPrimary: at(at(copy, "routing"), "primary") === true,
        leases: leasesIn(at(at(copy, "retention_leases"), "leases")),
      }));
      const wanted = known.find(({ isPrimary }) => isPrimary)?.leases;
      const other = known.find(({ leases }) => wanted !== undefined && leases !== wanted);
      if (other !== undefined)
        return `a replica of ${index}/${shard} knows the leases ${other.leases}, and its primary ${wanted}`;
    }
  }
  return undefined;
}

/** Leases of other clusters with their retained sequence number, as one text that can be compared. */
function leasesIn(leases: Json | undefined): string {
  const all = Array.isArray(leases) ? (leases as readonly Json[]) : [];
  const held = all.flatMap((lease) => {
    const id = String(at(lease, "id"));
    const retaining = String(at(lease, "retaining_seq_no"));
    return id.startsWith("replication:") ? [`${id} from ${retaining}`] : [];
  });
  return `[${held.toSorted(compareText).join(", ")}]`;
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Key of a lease such as `replication:copy:<uuid>:[books][0]`, without the uuid of the cluster that holds it. */
function leaseKey(lease: string): string {
  const [kind = "", cluster = "", ...rest] = lease.split(":");
  return [kind, cluster, rest.at(-1)].join(":");
}

/** Highest global checkpoint reported for a follower shard, by lease key. A new primary may report a lower one for a while. */
type ReportedCheckpoints = Map<string, number>;

function recordCheckpoint(
  world: World,
  reported: ReportedCheckpoints,
  { node, index, shard, checkpoint }: Progress,
): void {
  const key = `replication:${world.clusterOf(node)}:[${index}][${shard}]`;
  reported.set(key, Math.max(reported.get(key) ?? -1, checkpoint));
}

/** A lease may never be renewed beyond the reported checkpoint: the report precedes the renewal. */
function checkRenewal(reported: ReportedCheckpoints, event: NewsEvent): Finding {
  if (event.kind !== "retention-lease-changed" || event.change !== "renewed") return undefined;
  const { lease, retainingSeqNo } = event;
  const checkpoint = reported.get(leaseKey(lease));
  if (checkpoint === undefined || retainingSeqNo <= checkpoint + 1) return undefined;
  return `the lease [${lease}] asks for history from ${retainingSeqNo} on, and the global checkpoint of its holder was ${checkpoint} at most`;
}

/** Copies of a new history (an index restored, recreated or forced) start without leases. */
function recordCopies(shard: Shard, event: Copies): void {
  if (event.version <= shard.version) return;
  const { version, indexUuid, active, recoverySource, inSync } = event;
  const isNew = recoverySource !== "" && recoverySource !== "EXISTING_STORE";
  if (isNew || indexUuid !== shard.indexUuid || inSync.includes("_forced_allocation_"))
    shard.leases.clear();
  shard.version = version;
  shard.indexUuid = indexUuid;
  shard.active = new Set(active.split(","));
}

function recordLease(shard: Shard, { lease, change, retainingSeqNo }: LeaseChange): void {
  if (change === "removed" || change === "expired") shard.leases.delete(lease);
  else shard.leases.set(lease, retainingSeqNo);
}

function checkTrim(shard: Shard, event: Trimmed): Finding {
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
