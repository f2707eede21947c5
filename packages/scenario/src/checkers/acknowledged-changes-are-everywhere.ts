/**
 * INV-COORD-9: when a change of the cluster state is acknowledged, every node that is in the state all the while has applied it, and
 * a state that is read from then on, on whichever node, is not older.
 *
 * The judge looks at an index: it is there, open, closed, or gone. An index that several clients change at the same time is not judged, nor
 * is one that is deleted while clients write to it or restore snapshots: either makes it anew.
 */
import { greatest, isJsonObject, lookup, type Json } from "@orrery/stdx";
import { newClient, type ClientAnswer, type ClientRequest, type World } from "../world.ts";
import type { Answered, Asked, Checker, Finding } from "./checker.ts";

type IndexState = "open" | "close" | "gone";

interface Change {
  readonly cluster: string;
  readonly index: string;
  readonly becomes: IndexState;
}

interface Watched {
  /** Changes of each index that were sent, by cluster and index. */
  readonly sent: Map<string, number>;
  /** Changes of any index that may be under way still. */
  readonly open: Map<string, number>;
  /** Requests that may make each index, sent and under way; `*`: those whose path does not name it. */
  readonly writes: Map<string, { sent: number; open: number }>;
  /** Which nodes each version of a cluster's state has. */
  readonly members: Map<string, Map<number, ReadonlySet<string>>>;
  readonly starts: Map<string, number>;
}

const watches = new WeakMap<World, Watched>();

export const acknowledgedChangesAreEverywhere: Checker = {
  name: "acknowledged-changes-are-everywhere",
  invariant: "INV-COORD-9",
  says: "An acknowledged change of the cluster state is applied on every node of it, and seen by every later reading.",
  excusedBy: [],
  isAlways: true,
  start: (world) => {
    const watched: Watched = {
      sent: new Map(),
      open: new Map(),
      writes: new Map(),
      members: new Map(),
      starts: new Map(),
    };
    watches.set(world, watched);
    return (event) => {
      if (event.kind === "node-started" || event.kind === "node-crashed")
        watched.starts.set(event.node, (watched.starts.get(event.node) ?? 0) + 1);
      if (event.kind === "cluster-state-applied")
        noteMembers(world, watched, event.node, event.version);
      return undefined;
    };
  },
  onRequest: (world, asked) => {
    const watched = watches.get(world);
    if (watched === undefined) return undefined;
    const change = changeOf(world, asked);
    return change === undefined
      ? noteWrite(world, watched, asked)
      : judge(world, watched, asked, change);
  },
};

/** The state is there when what goes on at this moment is over. */
function noteMembers(world: World, { members }: Watched, node: string, version: number): void {
  const cluster = world.clusterOf(node);
  const known = members.get(cluster) ?? new Map<number, ReadonlySet<string>>();
  members.set(cluster, known);
  if (known.has(version)) return;
  known.set(version, new Set());
  void world.view(node).then((view) => {
    if (view !== undefined) known.set(view.version, new Set(view.nodes));
  });
}

/** Requests that may make an index, whose name is the first group where the path has it. */
const making =
  /^(?:(?:\/([^_/?*,][^/?*,]*))?\/_(?:doc|create|update|bulk)\b|\/_snapshot\/[^/]+\/[^/]+\/_restore|\/_dangling\/)/;

/** A request without an answer may make its index at any time. */
function noteWrite(
  world: World,
  { writes }: Watched,
  { node, request }: Asked,
): Answered | undefined {
  const found = request.method === "GET" ? null : making.exec(request.uri);
  if (found === null) return undefined;
  const key = `${world.clusterOf(node)}/${found[1] ?? "*"}`;
  const count = writes.get(key) ?? { sent: 0, open: 0 };
  writes.set(key, count);
  count.sent += 1;
  count.open += 1;
  return async () => {
    count.open -= 1;
    return undefined;
  };
}

/** Requests that may make the index: a number that stays the same while none is sent, and is undefined while one is under way. */
function writesTo({ writes }: Watched, { cluster, index }: Change): number | undefined {
  const counts = [index, "*"].flatMap((name) => writes.get(`${cluster}/${name}`) ?? []);
  if (counts.some(({ open }) => open > 0)) return undefined;
  return counts.reduce((sum, { sent }) => sum + sent, 0);
}

const lifecycle = /^\/([^_/?*,][^/?*,]*)(?:\/(_close|_open))?(?:\?.*)?$/;

function changeOf(world: World, { node, request }: Asked): Change | undefined {
  const { method, uri } = request;
  const [, index, action] = lifecycle.exec(uri) ?? [];
  if (index === undefined) return undefined;
  const becomes = becomesOf(method, action);
  return becomes === undefined ? undefined : { cluster: world.clusterOf(node), index, becomes };
}

function becomesOf(method: string, action: string | undefined): IndexState | undefined {
  if (method === "POST" && action !== undefined) return action === "_close" ? "close" : "open";
  if (action !== undefined) return undefined;
  if (method === "PUT") return "open";
  return method === "DELETE" ? "gone" : undefined;
}

function judge(
  world: World,
  watched: Watched,
  { node }: Asked,
  change: Change,
): Answered | undefined {
  const key = `${change.cluster}/${change.index}`;
  const number = (watched.sent.get(key) ?? 0) + 1;
  watched.sent.set(key, number);
  const open = watched.open.get(key) ?? 0;
  // A request without an answer may be carried out at any time: this index is not judged any more.
  watched.open.set(key, open + 1);
  const starts = new Map(watched.starts);
  const before = highestVersion(watched, change.cluster);
  const writes = writesTo(watched, change);
  const isMadeAnew = (): boolean =>
    change.becomes === "gone" && (writes === undefined || writesTo(watched, change) !== writes);
  const isAlone = (): boolean => open === 0 && watched.sent.get(key) === number && !isMadeAnew();
  return async (answer) => {
    watched.open.set(key, (watched.open.get(key) ?? 1) - 1);
    if (!isAcknowledged(answer) || !isAlone()) return undefined;
    const stayed = await nodesThatStayed(world, watched, { node, change, starts, before });
    for (const one of stayed) {
      const found = await stateAt(world, one, change.index);
      if (found !== undefined && found !== change.becomes && isAlone())
        return `[${change.index}] is ${found} on ${one}, and was acknowledged as ${change.becomes}`;
    }
    return judgeReading(world, change, isAlone);
  };
}

function isAcknowledged({ status, body }: ClientAnswer): boolean {
  return status === 200 && isJsonObject(body) && body["acknowledged"] === true;
}

function highestVersion({ members }: Watched, cluster: string): number {
  return Math.max(0, greatest(members.get(cluster)?.keys() ?? []));
}

interface Span {
  readonly node: string;
  readonly change: Change;
  readonly starts: ReadonlyMap<string, number>;
  readonly before: number;
}

/** In every version since the request was sent, and not started again meanwhile. */
async function nodesThatStayed(
  world: World,
  watched: Watched,
  { node, change, starts, before }: Span,
): Promise<readonly string[]> {
  const view = await world.view(node);
  const running = world.running(change.cluster);
  const versions = [...(watched.members.get(change.cluster) ?? [])].filter(
    ([version]) => version >= before,
  );
  return (view?.nodes ?? []).filter(
    (one) =>
      running.includes(one) &&
      starts.get(one) === watched.starts.get(one) &&
      versions.every(([, members]) => members.has(one)),
  );
}

async function stateAt(world: World, node: string, index: string): Promise<IndexState | undefined> {
  const view = await world.view(node);
  if (view?.clusterManager === undefined) return undefined;
  return view.indices.get(index)?.state ?? "gone";
}

/** A reading goes to whichever node is asked; it waits for an elected cluster manager that still is one. */
async function judgeReading(
  world: World,
  { cluster, index, becomes }: Change,
  isAlone: () => boolean,
): Promise<Finding> {
  const running = world.running(cluster);
  if (running.length === 0) return undefined;
  const node = world.random(`reading-${index}-${world.nowMs()}`).pick(running);
  const request: ClientRequest = {
    method: "GET",
    uri: `/_cluster/state/metadata/${index}?filter_path=metadata.indices.*.state`,
    timeoutMs: 5000,
  };
  const answer = await world.request(newClient("state-reader"), node, request);
  if (answer?.status !== 200 || !isAlone()) return undefined;
  const indices = at(at(answer.body, "metadata"), "indices");
  const state = at(at(indices, index), "state");
  const found = state === "open" || state === "close" ? state : "gone";
  if (found === becomes) return undefined;
  return `[${index}] is ${found} in the cluster state that ${node} answers, and was acknowledged as ${becomes} before`;
}

function at(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? lookup(value, name) : undefined;
}
