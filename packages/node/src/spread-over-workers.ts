/**
 * Requests for several shards that no single worker of this node can take: each worker is sent the parts of its
 * shards in one request, and the results are joined in the order of the parts. If one worker has all shards, its
 * thread pool has no room for all parts: each is then sent alone, and may be rejected alone.
 */
import { namesOfShards, type Endpoint, type HandlerContext } from "@orrery/ports";
import {
  actions,
  CanMatchResponse,
  FetchPhaseRequests,
  noResult,
  ShardResults,
  ShardSearchRequests,
  wireProblem,
} from "@orrery/protocol";
import { emptyBytes, OperationError } from "@orrery/stdx";

interface Parts<Part> {
  readonly parts: readonly Part[];
}

/** An action for several shards, and its codec. */
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

/**
 * Registers the handlers of actions that ask several shards: each message is divided among the workers of its shards.
 */
export function spreadOverWorkers(endpoint: Endpoint, workerOf: WorkerOf): void {
  for (const action of [actions.canMatchShards, actions.statisticsShards])
    handleSpread(endpoint, workerOf, { action, codec: ShardSearchRequests });
  handleSpread(endpoint, workerOf, { action: actions.fetchShards, codec: FetchPhaseRequests });
  endpoint.handle(actions.queryShards, (payload, context) =>
    spreadQueries({ endpoint, workerOf, context }, ShardSearchRequests.decode(payload)),
  );
}

/** Where the parts of one message go. */
interface Spreading {
  readonly endpoint: Endpoint;
  readonly workerOf: WorkerOf;
  readonly context: HandlerContext;
}

function handleSpread<Message extends Parts<Part>, Part extends Addressed>(
  endpoint: Endpoint,
  workerOf: WorkerOf,
  how: Spread<Message, Part>,
): void {
  endpoint.handle(how.action, async (payload, context) => {
    const message = how.codec.decode(payload);
    const results = await spread({ endpoint, workerOf, context }, message, how);
    return ShardResults.encode({ results }).finish();
  });
}

/** No worker has the whole search, so its parts are queried as such, after their can-match phase. */
async function spreadQueries(
  spreading: Spreading,
  message: ReturnType<typeof ShardSearchRequests.decode>,
): Promise<Uint8Array> {
  const parts = { ...message, whole: false, preFilter: false };
  const kept = message.preFilter ? await matching(spreading, parts) : message.parts;
  if (kept === undefined) return ShardResults.encode({}).finish();
  const how = { action: actions.queryShards, codec: ShardSearchRequests };
  const answers = await spread(spreading, { ...parts, parts: kept }, how);
  const results = message.parts.map((part): ShardResult => {
    const place = kept.indexOf(part);
    return place < 0 ? { skipped: true } : (answers[place] ?? {});
  });
  return ShardResults.encode({ results }).finish();
}

/** The parts that may have hits, at least one; `undefined`: a part has failed. */
async function matching(
  spreading: Spreading,
  message: ReturnType<typeof ShardSearchRequests.decode>,
): Promise<(typeof message)["parts"] | undefined> {
  const how = { action: actions.canMatchShards, codec: ShardSearchRequests };
  const answers = await spread(spreading, message, how);
  if (answers.some(({ problem }) => problem !== null && problem !== undefined)) return undefined;
  const kept = message.parts.filter(
    (_, i) => CanMatchResponse.decode(answers[i]?.answer ?? emptyBytes).matches,
  );
  return kept.length === 0 ? message.parts.slice(0, 1) : kept;
}

/** The results of the parts, in their order. */
async function spread<Message extends Parts<Part>, Part extends Addressed>(
  { endpoint, workerOf, context }: Spreading,
  message: Message,
  { action, codec }: Spread<Message, Part>,
): Promise<readonly ShardResult[]> {
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
  return results;
}

type ShardResult = NonNullable<
  NonNullable<Parameters<typeof ShardResults.encode>[0]["results"]>[number]
>;

/** Sends the parts of one group. A problem of the whole request is that of each part. */
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

/** Positions of the parts that go together: by worker, or each alone when all are one worker's. */
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
