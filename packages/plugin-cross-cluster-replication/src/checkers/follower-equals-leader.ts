/**
 * Checker of INV-FOLLOW-3: after both clusters have healed and clients have stopped writing, a follower index equals
 * its leader index up to its checkpoint, and its checkpoint reaches the leader's unless it was paused on purpose.
 */
import { isJsonObject, parseDuration, type Json } from "@orrery/stdx";
import {
  at,
  documentsOf,
  faultsOf,
  newClient,
  requestsOf,
  rowOf,
  seqNoOf,
  type Checker,
  type Client,
  type Finding,
  type Plan,
  type World,
} from "@orrery/scenario/checker";

const LOOK_EVERY_MS = 500;

/** The checker of INV-FOLLOW-3, which judges at the end of a run. */
export const followerEqualsLeader: Checker = {
  name: "follower-equals-leader",
  invariant: "INV-FOLLOW-3",
  says: "Once both clusters have healed, an index that follows one of another cluster equals it at its checkpoint, and catches up.",
  excusedBy: ["copies", "unsynced", "leases"],
  after: "snapshot-status-never-goes-backwards",
  complaint: ({ clusters }) =>
    clusters.length < 2 ? "there is no other cluster to follow" : undefined,
  finish: async (world, plan) => {
    const client = newClient("followers");
    const pairs = await pairsOf(world, plan, client);
    if (typeof pairs === "string") return pairs;
    if (pairs.length === 0 && !isPaused(plan)) return "no index follows one of another cluster";
    for (const pair of pairs.filter(({ hasGivenUp }) => !hasGivenUp)) {
      const finding = await checkPair(world, plan, client, pair);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
};

interface Side {
  readonly cluster: string;
  readonly index: string;
}

interface Pair {
  readonly follower: Side;
  readonly leader: Side;
  /** Whether replication is running; otherwise it is paused. */
  readonly isSyncing: boolean;
  /** Whether the bootstrap failed for a reason that the plan's faults excuse. */
  readonly hasGivenUp: boolean;
  /** Reason of an automatic pause that the plan does not excuse. */
  readonly pausedBecause?: string;
}

/** All pairs of follower and leader, by the status of each index; a text when a remote alias belongs to no cluster of the plan. */
async function pairsOf(
  world: World,
  plan: Plan,
  client: Client,
): Promise<readonly Pair[] | string> {
  const pairs: Pair[] = [];
  for (const { name: cluster } of plan.clusters) {
    const [node = ""] = world.running(cluster);
    const view = await world.view(node);
    for (const index of view?.indices.keys() ?? []) {
      const status = await ask(world, client, node, `/_plugins/_replication/${index}/_status`);
      const [alias, followed] = [at(status, "leader_alias"), at(status, "leader_index")];
      if (typeof alias !== "string" || typeof followed !== "string") continue;
      const leader = await clusterBehind(world, client, node, alias);
      if (leader === undefined) return `no cluster of the plan is [${alias}] of [${cluster}]`;
      pairs.push({
        follower: { cluster, index },
        leader: { cluster: leader, index: followed },
        isSyncing: at(status, "status") !== "PAUSED",
        hasGivenUp: hasFailedOnItsDisk(plan, status),
        ...pauseOf(plan, status),
      });
    }
  }
  return pairs;
}

/** Whether the plan pauses an index: one that is paused during its bootstrap may not exist. */
function isPaused({ timeline }: Plan): boolean {
  return timeline.some(
    ({ action }) =>
      action.kind === "request" && /^\/_plugins\/_replication\/[^/]+\/_pause/.test(action.step.uri),
  );
}

/** The reason of an automatic pause, unless the plan expects or causes one. */
function pauseOf(plan: Plan, status: Json | undefined): { readonly pausedBecause?: string } {
  const { timeline } = plan;
  const reason = at(status, "reason");
  if (at(status, "status") !== "PAUSED" || typeof reason !== "string") return {};
  const requests = timeline.flatMap(({ action }) =>
    action.kind === "request" ? [action.step] : [],
  );
  const isExpected =
    requests.some(({ expect }) => expect.body?.["status"] === "PAUSED") ||
    // The leader index was closed, and its lease may have expired before it was opened again; then only a restart
    // helps.
    (reason.includes("IndexClosedException") &&
      requests.some(({ uri }) => uri.includes("/_close"))) ||
    (/retention.?lease/i.test(reason) && areLeasesShort(plan));
  return reason.startsWith("AutoPaused") && !isExpected ? { pausedBecause: reason } : {};
}

/** A bootstrap that fails repeatedly because of disk faults ends with the state `FAILED`. */
function hasFailedOnItsDisk(plan: Plan, status: Json | undefined): boolean {
  const isGivenUp =
    at(status, "status") === "FAILED" && /initiate restore/.test(String(at(status, "reason")));
  return isGivenUp && faultsOf(plan).some((fault) => rowOf(fault).family === "disk");
}

/** Whether the plan sets a lease period that may expire while a request for changes awaits a lost response. */
function areLeasesShort(plan: Plan): boolean {
  const bodies = [
    ...plan.indices.map(({ settings }) => settings),
    ...requestsOf(plan).map(({ body }) => body ?? null),
  ];
  return bodies.some((body) => {
    const period = /retention_lease\W+period\W+(\w+)/.exec(JSON.stringify(body))?.[1];
    return period !== undefined && (parseDuration(period) ?? Infinity) < LONGEST_WAIT_MS;
  });
}

/** Longer than a request for changes waits for operations, then for its response, and for the pause before its retry. */
const LONGEST_WAIT_MS = 180_000;

/** The cluster of the plan whose transport address is among the seeds of a remote alias. */
async function clusterBehind(
  world: World,
  client: Client,
  node: string,
  alias: string,
): Promise<string | undefined> {
  const settings = await ask(world, client, node, "/_cluster/settings?flat_settings=true");
  const seeds = at(at(settings, "persistent"), `cluster.remote.${alias}.seeds`);
  const known = new Set(Array.isArray(seeds) ? (seeds as readonly Json[]) : []);
  const found = world.nodes().find((one) => known.has(world.transportAddress(one)));
  return found === undefined ? undefined : world.clusterOf(found);
}

async function checkPair(
  world: World,
  plan: Plan,
  client: Client,
  { follower, leader, isSyncing, pausedBecause }: Pair,
): Promise<Finding> {
  if (pausedBecause !== undefined)
    return `${nameOf(follower)} does not catch up with ${nameOf(leader)}: it paused itself, ${pausedBecause}`;
  const untilMs = world.nowMs() + plan.phases.convergeMs;
  const [name, other] = [nameOf(follower), nameOf(leader)];
  // Safety is only judged once liveness is reached: the follower's checkpoints must catch up within the convergence
  // phase.
  for (;;) {
    const [ours, theirs] = [
      await checkpointsOf(world, client, follower),
      await checkpointsOf(world, client, leader),
    ];
    const late = [...theirs].find(([shard, one]) => (ours.get(shard) ?? -2) < one);
    if (theirs.size > 0 && (late === undefined || !isSyncing)) break;
    if (world.nowMs() >= untilMs)
      return `${name} does not catch up with ${other}: its checkpoints are ${shown(ours)}, and the other's ${shown(theirs)}`;
    await world.sleep(LOOK_EVERY_MS);
  }
  const checkpoints = await checkpointsOf(world, client, follower);
  const highest = await checkpointsOf(world, client, leader);
  for (const [shard, checkpoint] of checkpoints) {
    const ours = await contentOf(world, client, follower, shard);
    const theirs = await contentOf(world, client, leader, shard);
    if (typeof ours === "string" || typeof theirs === "string")
      return `${name}/${shard} or ${other}/${shard} cannot be read: ${String(typeof ours === "string" ? ours : theirs)}`;
    const isAll = checkpoint >= (highest.get(shard) ?? -1);
    const says = differ(ours, theirs, { checkpoint, isAll });
    if (says !== undefined)
      return `${name}/${shard} is not ${other}/${shard} at the checkpoint ${checkpoint}: ${says}`;
  }
  return undefined;
}

interface Point {
  readonly checkpoint: number;
  /** Whether the leader has no operation after the checkpoint. */
  readonly isAll: boolean;
}

/** Documents of a shard by id. */
type Content = ReadonlyMap<string, { readonly seqNo: number; readonly line: string }>;

function differ(ours: Content, theirs: Content, { checkpoint, isAll }: Point): string | undefined {
  for (const [id, { seqNo, line }] of theirs) {
    if (seqNo > checkpoint) continue;
    const found = ours.get(id)?.line ?? "not there";
    if (found !== line) return `[${id}] is ${found}, and should be ${line}`;
  }
  for (const [id, { seqNo, line }] of ours) {
    const found = theirs.get(id);
    // A later operation of the leader may have changed or deleted the document.
    const isChangedLater = found === undefined ? !isAll : found.seqNo > checkpoint;
    if (found?.line !== line && !isChangedLater)
      return `[${id}] of sequence number ${seqNo} is ${line}, and the other has ${found?.line ?? "no such document"}`;
  }
  return undefined;
}

async function contentOf(
  world: World,
  client: Client,
  { cluster, index }: Side,
  shard: number,
): Promise<Content | string> {
  const [node = ""] = world.running(cluster);
  const refresh = { method: "POST", uri: `/${index}/_refresh`, timeoutMs: 30_000 };
  await world.request(client, node, refresh);
  const read = await documentsOf(world, client, { node, index, shard }, "_primary");
  if (read.kind === "failed") return read.why;
  return new Map(
    read.hits.map((hit) => [
      String(at(hit, "_id")),
      {
        seqNo: seqNoOf(hit),
        line: JSON.stringify([at(hit, "_seq_no"), at(hit, "_version"), at(hit, "_source")]),
      },
    ]),
  );
}

/** Global checkpoint of each shard's primary, by shard number. */
async function checkpointsOf(
  world: World,
  client: Client,
  { cluster, index }: Side,
): Promise<ReadonlyMap<number, number>> {
  const [node = ""] = world.running(cluster);
  const uri = `/${index}/_stats/docs?level=shards&filter_path=indices.*.shards.*.seq_no,indices.*.shards.*.routing`;
  const shards = at(at(at(await ask(world, client, node, uri), "indices"), index), "shards");
  const found = new Map<number, number>();
  for (const [shard, copies] of Object.entries(isJsonObject(shards) ? shards : {})) {
    const primary = (Array.isArray(copies) ? (copies as readonly Json[]) : []).find(
      (copy) => at(at(copy, "routing"), "primary") === true,
    );
    const checkpoint = at(at(primary, "seq_no"), "global_checkpoint");
    if (typeof checkpoint === "number") found.set(Number(shard), checkpoint);
  }
  return found;
}

async function ask(
  world: World,
  client: Client,
  node: string,
  uri: string,
): Promise<Json | undefined> {
  const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
  return answer?.body;
}

function nameOf({ cluster, index }: Side): string {
  return `${cluster}:${index}`;
}

function shown(checkpoints: ReadonlyMap<number, number>): string {
  return JSON.stringify(Object.fromEntries(checkpoints));
}
