/**
 * A search whose shards are all on one node, in one message: a worker that has all of them queries, merges and fetches
 * at once. Otherwise the node answers for each shard, and the search goes on as if each had been asked alone.
 */
import { namesOfShards, shardsMost } from "@orrery/ports";
import {
  actions,
  noResult,
  readWireProblem,
  ShardResults,
  ShardSearchRequests,
} from "@orrery/protocol";
import { decodePage } from "@orrery/query";
import { OperationError } from "@orrery/stdx";
import { shardKey } from "../shard-key.ts";
import type { Fetched } from "./fetch.ts";
import { sharedRequest, shardPart, type Run } from "./run.ts";
import { activeCopy, type ActiveCopy, type BegunAttempt } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

type Answered = ReturnType<typeof ShardResults.decode>;

/** The response of the node. */
export type WholeAnswer =
  | WholeFound
  /** `wanted` were asked on their first copies. */
  | {
      readonly kind: "each";
      readonly wanted: readonly SearchTarget[];
      readonly begun: readonly BegunAttempt[];
    }
  /** No query phase has run. */
  | { readonly kind: "none" };

/** A search whose page is complete; totals, aggregations and suggestions are still to be reduced. */
export interface WholeFound {
  readonly kind: "whole";
  /** The shards that were searched. */
  readonly wanted: readonly WholeTarget[];
  readonly found: NonNullable<Answered["whole"]>;
}

/** Options of the message that all shards share. */
export interface WholeHow {
  /** Encoded statistics over all shards; empty: none were asked for. */
  readonly statistics: Uint8Array;
  /** Shards that cannot match are left out. */
  readonly preFilter: boolean;
}

/** A shard, and the copy that was asked. */
export interface WholeTarget {
  readonly target: SearchTarget;
  readonly copy: ActiveCopy;
}

/**
 * Asks the node of all first copies. No node is asked if the copies are on several nodes, or if contexts are to stay
 * open.
 */
export async function searchWhole(
  run: Run,
  targets: readonly SearchTarget[],
  how: WholeHow,
): Promise<WholeAnswer> {
  const asked = onOneNode(run, targets);
  const nodeId = asked[0]?.copy.nodeId;
  if (nodeId === undefined) return { kind: "none" };
  const { deps, selection, cancellation } = run;
  const startedMs = deps.clock.monotonicMs();
  for (const _ of targets) selection.sent(nodeId);
  let bytes: Uint8Array;
  try {
    const shard = namesOfShards(
      targets.map(({ index, shard: number }) => shardKey(index.uuid, number)),
    );
    const payload = messageOf(run, asked, how);
    const sending = { shard, cancellation };
    bytes = await deps.transport.request(nodeId, actions.queryShards, payload, sending);
  } catch (error) {
    if (!how.preFilter || cancellation.isCancelled) return allBegun(targets, startedMs, error);
    for (const _ of targets) selection.ended(nodeId, undefined);
    // The can-match phase asks other copies, too.
    return { kind: "none" };
  }
  const answer = ShardResults.decode(bytes);
  if (answer.whole !== null) return wholeFound(run, asked, { startedMs, whole: answer.whole });
  const isRefused = how.preFilter && answer.results.length === 0;
  const wanted: SearchTarget[] = [];
  const begun: BegunAttempt[] = [];
  targets.forEach((target, i) => {
    const result = answer.results[i];
    if (isRefused || result?.skipped === true) selection.ended(nodeId, undefined);
    else {
      wanted.push(target);
      begun.push({ startedMs, answer: () => answerIn(result) });
    }
  });
  return isRefused ? { kind: "none" } : { kind: "each", wanted, begun };
}

/** The targets with their first copies if one message can ask them all; else none. */
function onOneNode({ request }: Run, targets: readonly SearchTarget[]): readonly WholeTarget[] {
  const most = Math.min(shardsMost, request.maxConcurrentShardRequests);
  if (targets.length < 2 || targets.length > most || request.scroll !== undefined) return [];
  const asked: WholeTarget[] = [];
  for (const target of targets) {
    const [first] = target.copies;
    const copy = first && activeCopy(first);
    if (copy === undefined || target.contextId !== undefined) return [];
    if (copy.nodeId !== (asked[0]?.copy.nodeId ?? copy.nodeId)) return [];
    asked.push({ target, copy });
  }
  return asked;
}

function messageOf(
  run: Run,
  asked: readonly WholeTarget[],
  { statistics, preFilter }: WholeHow,
): Uint8Array {
  return ShardSearchRequests.encode({
    shared: { ...sharedRequest(run), statistics },
    parts: asked.map(({ target, copy }) => ({
      ...shardPart(run, target, copy),
      keepContext: true,
    })),
    whole: true,
    preFilter,
  }).finish();
}

/** A problem of the message is that of each shard. */
function allBegun(wanted: readonly SearchTarget[], startedMs: number, error: unknown): WholeAnswer {
  // oxlint-disable-next-line prefer-promise-reject-errors -- what the transport rejected with
  const attempt = { startedMs, answer: () => Promise.reject<Uint8Array>(error) };
  return { kind: "each", wanted, begun: wanted.map(() => attempt) };
}

async function answerIn(result: Answered["results"][number] | undefined): Promise<Uint8Array> {
  if (result === undefined) throw new OperationError(noResult());
  if (result.problem !== null) throw new OperationError(readWireProblem(result.problem));
  return result.answer;
}

interface WholeReceived {
  readonly startedMs: number;
  readonly whole: WholeFound["found"];
}

function wholeFound(
  { deps, selection }: Run,
  asked: readonly WholeTarget[],
  { startedMs, whole }: WholeReceived,
): WholeFound {
  const responseTimeMs = deps.clock.monotonicMs() - startedMs;
  const wanted = asked.filter(({ copy: { nodeId } }, i) => {
    const serviceTimeNs = whole.serviceTimeNs[i] ?? 0;
    const observed = { queueSize: 0, responseTimeMs, serviceTimeMs: serviceTimeNs / 1e6 };
    selection.ended(nodeId, serviceTimeNs === 0 ? undefined : observed);
    return serviceTimeNs !== 0;
  });
  return { kind: "whole", wanted, found: whole };
}

/** The hits of the page, and the shards whose hits could not be fetched. */
export function wholePage(
  { request }: Run,
  targets: readonly SearchTarget[],
  { wanted, found: { hits, failures } }: WholeFound,
): Fetched {
  request.hold?.(hits.length);
  return {
    hits: decodePage(hits),
    failures: failures.map(({ part, problem }) => ({
      target: targets[part],
      nodeId: wanted[0]?.copy.nodeId,
      problem: problem === null ? noResult() : readWireProblem(problem),
    })),
  };
}
