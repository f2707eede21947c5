/**
 * Requests for several shards of this worker in one message. Each part is a task of its own, is guarded and served
 * like a request of its own, and fails alone; contexts that it opens belong to the whole request. Between the
 * beginnings of two parts other work gets its turn.
 */
import { createTurns, type Handler, type HandlerContext, type RequestName } from "@orrery/ports";
import { ShardResults, wireProblem } from "@orrery/protocol";
import { emptyBytes, OperationError, problemOf, stackOf } from "@orrery/stdx";
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

/** The action for one shard, the decoder of the message for several, and the handler of one part. */
export interface ServeEach<Request> {
  /** The action that asks one shard. */
  readonly action: string;
  readonly read: (payload: Uint8Array) => Several<Request>;
  readonly serve: (
    request: Request,
    context: HandlerContext,
    body: SearchBody,
  ) => Promise<Uint8Array>;
}

type ShardResult = NonNullable<
  NonNullable<Parameters<typeof ShardResults.encode>[0]["results"]>[number]
>;

/** The handler of the message: it answers when all parts have ended. */
export function onSeveral<Request extends Addressed>(
  worker: WorkerContext,
  { action, read, serve }: ServeEach<Request>,
): Handler {
  const result = async (
    request: Request,
    context: HandlerContext,
    body: SearchBody,
  ): Promise<ShardResult> => {
    try {
      const guarded = worker.guard(action, (_payload, given) => serve(request, given, body));
      // The payload was decoded with the whole message.
      return { answer: await guarded(emptyBytes, context) };
    } catch (error) {
      if (!(error instanceof OperationError))
        worker.tellUnforeseen(
          `failed to answer [${action}] from [${context.from}]: ${stackOf(error)}`,
        );
      return { problem: wireProblem(problemOf(error)) };
    }
  };
  return async (payload, context) => {
    const { requests, body: received, partOf } = read(payload);
    const body = new SearchBody(received);
    const turns = createTurns(worker.clock);
    const results: Promise<ShardResult>[] = [];
    for (const request of requests) {
      if (turns.isOver()) await turns.rest();
      checkCancelled(context.cancellation);
      const shard = `${request.indexUuid}/${request.shard}`;
      const { task } = worker.endpoint.begin(context.caller, context.cancellation);
      const part = { ...context, task, shard, partOf: partOf ?? undefined };
      results.push(result(request, part, body));
    }
    return ShardResults.encode({ results: await Promise.all(results) }).finish();
  };
}
