/**
 * INV-REPL-13: what a retention lease of another cluster asks for is on every active copy of the shard, whether or not that copy
 * knows of the lease: the next primary may be any of them. The lease of an index that follows asks for everything behind the global checkpoint of that index: its
 * next primary may lack the rest. Once the cluster has healed, replicas know the leases as their primary does.
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
  /** Lowest sequence number that each lease retains. */
  readonly leases: Map<string, number>;
}

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
      const says = await judgeKnowledge(world, name);
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
    const told = new Map<string, number>();
    // Real nodes send their events in batches, so that one of another node may come before what it follows from.
    const isInOrder = world.name === "sim";
    return (event) => {
      if (event.kind === "remote-replication-checkpoint") noteProgress(world, told, event);
      return judge(event, shardOf) ?? (isInOrder ? judgeRenewal(told, event) : undefined);
    };
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

const LOOK_EVERY_MS = 2000;
/** More than primaries take to tell leases again: `index.soft_deletes.retention_lease.sync_interval` is half a minute. */
const TOLD_MS = 90_000;

/** Once nobody disturbs the cluster, every active copy knows the leases of other clusters as its primary does. */
async function judgeKnowledge(world: World, cluster: string): Promise<Finding> {
  const untilMs = world.nowMs() + TOLD_MS;
  for (;;) {
    const says = await whoKnowsLess(world, cluster);
    if (says === undefined || world.nowMs() >= untilMs) return says;
    await world.sleep(LOOK_EVERY_MS);
  }
}

async function whoKnowsLess(world: World, cluster: string): Promise<Finding> {
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

/** Those of other clusters, with what they retain. */
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

/** Of a lease such as `replication:copy:<uuid>:[books][0]`, without the uuid of the cluster that holds it. */
function leaseKey(lease: string): string {
  const [kind = "", cluster = "", ...rest] = lease.split(":");
  return [kind, cluster, rest.at(-1)].join(":");
}

/** By lease: the highest global checkpoint that the shard which holds it told. A new primary may know less of it for a while. */
type Told = Map<string, number>;

function noteProgress(
  world: World,
  told: Told,
  { node, index, shard, checkpoint }: Progress,
): void {
  const key = `replication:${world.clusterOf(node)}:[${index}][${shard}]`;
  told.set(key, Math.max(told.get(key) ?? -1, checkpoint));
}

/** The checkpoint is told before the lease is renewed for it. */
function judgeRenewal(told: Told, event: NewsEvent): Finding {
  if (event.kind !== "retention-lease-changed" || event.change !== "renewed") return undefined;
  const { lease, retainingSeqNo } = event;
  const checkpoint = told.get(leaseKey(lease));
  if (checkpoint === undefined || retainingSeqNo <= checkpoint + 1) return undefined;
  return `the lease [${lease}] asks for history from ${retainingSeqNo} on, and the global checkpoint of its holder was ${checkpoint} at most`;
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
