/**
 * Requests for several shards that no shard worker of this node can take as they came: each worker is sent the parts of its shards
 * in one request, and the results come together in the order of the parts. Where one worker has them all, its thread pool
 * has no room for all: then each part asks for its place alone, and is refused alone.
 */
import { namesOfShards, type Endpoint, type HandlerContext } from "@orrery/ports";
import {
  actions,
  FetchPhaseRequests,
  noResult,
  ShardResults,
  ShardSearchRequests,
  wireProblem,
} from "@orrery/protocol";
import { OperationError } from "@orrery/stdx";

interface Parts<Part> {
  readonly parts: readonly Part[];
}

interface Spread<Message extends Parts<Part>, Part> {
  readonly action: string;
  readonly codec: {
    decode(bytes: Uint8Array): Message;
    encode(message: Message): { finish(): Uint8Array };
  };
}

interface Addressed {
  readonly indexUuid: string;
  readonly shard: number;
}

type WorkerOf = (shard: string) => number;

export function spreadOverWorkers(endpoint: Endpoint, workerOf: WorkerOf): void {
  for (const action of [actions.canMatchShards, actions.statisticsShards, actions.queryShards])
    spread(endpoint, workerOf, { action, codec: ShardSearchRequests });
  spread(endpoint, workerOf, { action: actions.fetchShards, codec: FetchPhaseRequests });
}

function spread<Message extends Parts<Part>, Part extends Addressed>(
  endpoint: Endpoint,
  workerOf: WorkerOf,
  { action, codec }: Spread<Message, Part>,
): void {
  endpoint.handle(action, async (payload, context) => {
    const message = codec.decode(payload);
    const results: ShardResult[] = [];
    const groups = groupsOf(message.parts, workerOf);
    await Promise.all(
      groups.map(async (places) => {
        const parts = places.flatMap((place) => message.parts[place] ?? []);
        const request = { ...message, parts, partOf: context.request };
        const asked = { shards: parts.map(nameOf), payload: codec.encode(request).finish() };
        const answers = await ask(endpoint, action, asked, context);
        places.forEach((place, i) => {
          results[place] = answers[i] ?? { problem: wireProblem(noResult()) };
        });
      }),
    );
    return ShardResults.encode({ results }).finish();
  });
}

type ShardResult = NonNullable<
  NonNullable<Parameters<typeof ShardResults.encode>[0]["results"]>[number]
>;

/** A problem with the whole is one of each part. */
async function ask(
  endpoint: Endpoint,
  action: string,
  { shards, payload }: { readonly shards: readonly string[]; readonly payload: Uint8Array },
  context: HandlerContext,
): Promise<readonly ShardResult[]> {
  try {
    const bytes = await endpoint.request(endpoint.localNodeId, action, payload, {
      shard: namesOfShards(shards),
      cancellation: context.cancellation,
      context,
    });
    return ShardResults.decode(bytes).results;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const problem = wireProblem(error.problem);
    return shards.map(() => ({ problem }));
  }
}

/** Places of the parts that go together. */
function groupsOf(parts: readonly Addressed[], workerOf: WorkerOf): readonly (readonly number[])[] {
  const byWorker = new Map<number, number[]>();
  parts.forEach((part, place) => {
    const worker = workerOf(nameOf(part));
    const group = byWorker.get(worker);
    if (group === undefined) byWorker.set(worker, [place]);
    else group.push(place);
  });
  return byWorker.size > 1 ? [...byWorker.values()] : parts.map((_, place) => [place]);
}

function nameOf({ indexUuid, shard }: Addressed): string {
  return `${indexUuid}/${shard}`;
}
