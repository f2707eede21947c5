/**
 * Requests for several shards of this worker in one message. Each part is a task of its own, is guarded and served
 * like a request of its own, and fails alone; contexts that it opens belong to the whole request. Between the
 * beginnings of two parts other work gets its turn.
 */
import { createTurns, type Handler, type HandlerContext, type RequestName } from "@orrery/ports";
import { ShardResults, wireProblem } from "@orrery/protocol";
import {
  defined,
  emptyBytes,
  OperationError,
  problemOf,
  stackOf,
  type Problem,
} from "@orrery/stdx";
import type { WorkerContext } from "../context.ts";
import { checkCancelled } from "./cancelled.ts";
import { SearchBody } from "./search-body.ts";

interface Addressed {
  readonly indexUuid: string;
  readonly shard: number;
}

/** A decoded message for several shards. */
export interface Several<Request> {
  readonly requests: readonly Request[];
  readonly body: Uint8Array;
  /** The request that the node has spread over its workers, of which this message is a part. */
  readonly partOf: RequestName | null;
}

/** Serves one part. */
export type ServePart<Request, Result> = (
  request: Request,
  context: HandlerContext,
  body: SearchBody,
) => Promise<Result>;

/** The action for one shard, the decoder of the message for several, and the handler of one part. */
export interface ServeEach<Request> {
  /** The action that asks one shard. */
  readonly action: string;
  readonly read: (payload: Uint8Array) => Several<Request>;
  readonly serve: ServePart<Request, Uint8Array>;
}

/** How one part ended. */
export type PartOutcome<Result> =
  | { readonly kind: "served"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: Problem };

/** The handler of the message: it answers when all parts have ended. */
export function onSeveral<Request extends Addressed>(
  worker: WorkerContext,
  { action, read, serve }: ServeEach<Request>,
): Handler {
  return async (payload, context) => {
    const several = read(payload);
    const body = new SearchBody(several.body);
    const ended = await eachPart(worker, several, { action, serve, context, body });
    return ShardResults.encode({ results: ended.map(answerOf) }).finish();
  };
}

type ShardResult = NonNullable<
  NonNullable<Parameters<typeof ShardResults.encode>[0]["results"]>[number]
>;

/** A part's outcome as the message for several shards answers it. */
export function answerOf(outcome: PartOutcome<Uint8Array>): ShardResult {
  return outcome.kind === "served"
    ? { answer: outcome.result }
    : { problem: wireProblem(outcome.problem) };
}

/** How the parts of one message are served. */
export interface ServeParts<Request, Result> {
  /** The action that asks one shard. */
  readonly action: string;
  readonly serve: ServePart<Request, Result>;
  readonly context: HandlerContext;
  readonly body: SearchBody;
  /** A part begins when the one before has ended, and knows what that has found. */
  readonly inOrder?: boolean;
}

/** Serves each part in a task of its own; the outcomes are in the order of the parts. */
export async function eachPart<Request extends Addressed, Result>(
  worker: WorkerContext,
  { requests, partOf }: Several<Request>,
  how: ServeParts<Request, Result>,
): Promise<readonly PartOutcome<Result>[]> {
  const { context } = how;
  const turns = createTurns(worker.clock);
  const outcomes: Promise<PartOutcome<Result>>[] = [];
  for (const request of requests) {
    if (turns.isOver()) await turns.rest();
    checkCancelled(context.cancellation);
    const shard = `${request.indexUuid}/${request.shard}`;
    const { task } = worker.endpoint.begin(context.caller, context.cancellation);
    const part = { ...context, task, shard, partOf: partOf ?? undefined };
    const outcome = onePart(worker, request, { ...how, context: part });
    outcomes.push(outcome);
    if (how.inOrder === true) await outcome;
  }
  return Promise.all(outcomes);
}

/** Serves one part, guarded as its action is guarded for one shard. */
export async function onePart<Request, Result>(
  worker: WorkerContext,
  request: Request,
  { action, serve, context, body }: ServeParts<Request, Result>,
): Promise<PartOutcome<Result>> {
  try {
    const served: Result[] = [];
    const guarded = worker.guard(action, async (_payload, given) => {
      served.push(await serve(request, given, body));
      return emptyBytes;
    });
    // The payload was decoded with the whole message.
    await guarded(emptyBytes, context);
    return { kind: "served", result: defined(served[0], `the result of [${action}]`) };
  } catch (error) {
    if (!(error instanceof OperationError))
      worker.tellUnforeseen(
        `failed to answer [${action}] from [${context.from}]: ${stackOf(error)}`,
      );
    return { kind: "failed", problem: problemOf(error) };
  }
}
