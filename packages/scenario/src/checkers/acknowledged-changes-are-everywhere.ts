/**
 * INV-COORD-9: when a change of the cluster state is acknowledged, every node that stayed in the state since the
 * request has applied it, and a state read later from any node is not older.
 *
 * The checker interprets requests as claims about parts of the state (state-changes/table.ts). A part that several
 * clients change concurrently to different values is not judged, nor is an index that is deleted while clients write to
 * it, as a write creates it again.
 */
import { greatest, isJsonObject } from "@orrery/stdx";
import { newClient, type ClientAnswer, type World } from "../world.ts";
import type { Answered, Asked, Checker, Finding } from "./checker.ts";
import { shownState } from "./shown-state.ts";
import { GONE, type Claim, type StateChange } from "./state-changes/change.ts";
import {
  concerning,
  countOf,
  countOfAlike,
  type Count,
  type Counts,
} from "./state-changes/counts.ts";
import { changeOf } from "./state-changes/table.ts";

interface Watched {
  /** Changes that were sent, by cluster. */
  readonly changes: Map<string, Counts>;
  /** Requests that create a missing index implicitly, by cluster. */
  readonly makers: Map<string, Counts>;
  /** Nodes in each version of a cluster's state; `undefined` while no node has been observed with that version. */
  readonly members: Map<string, Map<number, ReadonlySet<string> | undefined>>;
  readonly starts: Map<string, number>;
}

const watches = new WeakMap<World, Watched>();

export const acknowledgedChangesAreEverywhere: Checker = {
  name: "acknowledged-changes-are-everywhere",
  invariant: "INV-COORD-9",
  says: "An acknowledged change of indices, their settings, mappings and aliases, of templates or of cluster settings is applied on every node of the cluster, and visible to every later read.",
  excusedBy: [],
  isAlways: true,
  start: (world) => {
    const watched: Watched = {
      changes: new Map(),
      makers: new Map(),
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
    const change = watched === undefined ? undefined : changeOf(asked.request);
    if (watched === undefined || change === undefined) return undefined;
    return judge(world, watched, asked, change);
  },
};

function noteMembers(world: World, { members }: Watched, node: string, version: number): void {
  const cluster = world.clusterOf(node);
  const known = members.get(cluster) ?? new Map<number, ReadonlySet<string> | undefined>();
  members.set(cluster, known);
  if (known.get(version) !== undefined) return;
  known.set(version, undefined);
  void shownState(world, node).then((view) => {
    if (view !== undefined) known.set(view.version, new Set(view.nodes));
  });
}

function judge(
  world: World,
  watched: Watched,
  { node }: Asked,
  change: StateChange,
): Answered | undefined {
  const cluster = world.clusterOf(node);
  const { isAlone, answered } = send(
    countsOf(watched.changes, cluster),
    countsOf(watched.makers, cluster),
    change,
  );
  const span: Omit<Span, "node"> = {
    cluster,
    starts: new Map(watched.starts),
    before: highestVersion(watched, cluster),
  };
  return async (answer) => {
    answered();
    const claims = change.claims.filter(isAlone);
    if (claims.length === 0 || !isAcknowledged(answer)) return undefined;
    const stayed = await nodesThatStayed(world, watched, { node, ...span });
    return (
      (await judgeNodes(world, stayed, claims, isAlone)) ??
      (await judgeReading(world, cluster, claims, isAlone))
    );
  };
}

interface Sending {
  /** True if no other request may have set the part to a different value. */
  readonly isAlone: (claim: Claim) => boolean;
  readonly answered: () => void;
}

function send(changes: Counts, makers: Counts, change: StateChange): Sending {
  const { claims, touches = [], makes, isLasting } = change;
  const othersOf = (claim: Claim): Readonly<Count> => {
    const all = concerning(changes, claim.part);
    const alike = countOfAlike(changes, claim.part, claim.becomes);
    return { sent: all.sent - alike.sent, open: all.open - alike.open };
  };
  const before = new Map(
    claims.map((claim) => [
      claim,
      { others: othersOf(claim), makers: concerning(makers, claim.part) },
    ]),
  );
  // A request without an answer may be carried out at any time, so its parts are not judged any more.
  const own = [
    ...[...claims.map(({ part }) => part), ...touches].map((part) => countOf(changes, part)),
    ...claims.map(({ part, becomes }) => countOfAlike(changes, part, becomes)),
    ...(makes === undefined ? [] : [countOf(makers, makes)]),
  ];
  for (const count of own) {
    count.sent += 1;
    count.open += 1;
  }
  const sent = new Map(claims.map((claim) => [claim, othersOf(claim).sent]));
  return {
    isAlone: (claim) => {
      const was = before.get(claim);
      if (was?.others.open !== 0 || othersOf(claim).sent !== sent.get(claim)) return false;
      const isMade = was.makers.open > 0 || concerning(makers, claim.part).sent > was.makers.sent;
      return claim.becomes !== GONE || !isMade;
    },
    answered: () => {
      if (isLasting !== true) for (const count of own) count.open -= 1;
    },
  };
}

function countsOf(all: Map<string, Counts>, cluster: string): Counts {
  const counts = all.get(cluster) ?? (new Map() as Counts);
  all.set(cluster, counts);
  return counts;
}

function isAcknowledged({ status, body }: ClientAnswer): boolean {
  return status === 200 && isJsonObject(body) && body["acknowledged"] === true;
}

function highestVersion({ members }: Watched, cluster: string): number {
  return Math.max(0, greatest(members.get(cluster)?.keys() ?? []));
}

interface Span {
  readonly node: string;
  readonly cluster: string;
  readonly starts: ReadonlyMap<string, number>;
  readonly before: number;
}

/** Nodes in every version of the state since the request was sent that have not restarted meanwhile. */
async function nodesThatStayed(
  world: World,
  watched: Watched,
  { node, cluster, starts, before }: Span,
): Promise<readonly string[]> {
  const view = await world.view(node);
  const running = world.running(cluster);
  const versions = [...(watched.members.get(cluster) ?? [])].filter(
    ([version]) => version >= before,
  );
  return (view?.nodes ?? []).filter(
    (one) =>
      running.includes(one) &&
      starts.get(one) === watched.starts.get(one) &&
      versions.every(([, members]) => members?.has(one) === true),
  );
}

async function judgeNodes(
  world: World,
  nodes: readonly string[],
  claims: readonly Claim[],
  isAlone: (claim: Claim) => boolean,
): Promise<Finding> {
  for (const node of nodes) {
    const view = await world.view(node);
    if (view?.clusterManager === undefined) continue;
    for (const [uri, ofUri] of byQuestion(claims)) {
      const answer = await world.ownAnswer?.(node, withLocal(uri));
      const wrong = contradiction(answer, ofUri.filter(isAlone));
      if (wrong !== undefined)
        return `${wrong.name} is ${wrong.found} on ${node}, and was acknowledged as ${wrong.becomes}`;
    }
  }
  return undefined;
}

function withLocal(uri: string): string {
  return `${uri}${uri.includes("?") ? "&" : "?"}local=true`;
}

function byQuestion(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const questions = new Map<string, Claim[]>();
  for (const claim of claims) {
    const same = questions.get(claim.uri);
    if (same === undefined) questions.set(claim.uri, [claim]);
    else same.push(claim);
  }
  return questions;
}

/** First claim that the answer contradicts. */
function contradiction(
  answer: ClientAnswer | undefined,
  claims: readonly Claim[],
): (Claim & { readonly found: string }) | undefined {
  if (answer === undefined) return undefined;
  for (const claim of claims) {
    const found = claim.find(answer);
    if (found !== undefined && found !== claim.becomes) return { ...claim, found };
  }
  return undefined;
}

/**
 * Checks the claims on any node that answers. A non-local read is forwarded to the elected cluster manager, and waits
 * for one that can still confirm its term.
 */
async function judgeReading(
  world: World,
  cluster: string,
  claims: readonly Claim[],
  isAlone: (claim: Claim) => boolean,
): Promise<Finding> {
  const running = world.running(cluster);
  if (running.length === 0) return undefined;
  for (const [uri, ofUri] of byQuestion(claims)) {
    const node = world.random(`reading-${ofUri[0]?.part}-${world.nowMs()}`).pick(running);
    const request = { method: "GET", uri, timeoutMs: READING_TIMEOUT_MS };
    const answer = await world.request(newClient("state-reader"), node, request);
    const wrong = contradiction(answer, ofUri.filter(isAlone));
    if (wrong !== undefined)
      return `${wrong.name} is ${wrong.found} in the cluster state that ${node} answers, and was acknowledged as ${wrong.becomes} before`;
  }
  return undefined;
}

/** Time-out of the reads, equal to that of the client's request. */
const READING_TIMEOUT_MS = 5000;
