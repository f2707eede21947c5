/**
 * Batches requests of one search phase: those that are made in the same turn for copies on the same node travel as
 * one message, whose response has a result or a problem for each shard. Each request settles on its own, as if it had
 * been sent alone.
 */
import { namesOfShards, shardsMost, type Cancellation, type Transport } from "@orrery/ports";
import { noResult, readWireProblem, ShardResults } from "@orrery/protocol";
import { OperationError, type NodeId } from "@orrery/stdx";

/** Actions and encodings of a phase, for one shard and for several. */
export interface ShardAction<Request> {
  readonly one: string;
  readonly several: string;
  readonly encode: (request: Request) => Uint8Array;
  /** Encodes requests that differ only in their parts; the shared fields are taken from the first. */
  readonly encodeSeveral: (requests: readonly Request[]) => Uint8Array;
}

/** The request to one shard within a phase. */
export interface ShardRequest<Request> {
  /** The shard's key on the frame. */
  readonly shard: string;
  readonly request: Request;
}

/** Transport and cancellation of one search. */
export interface Sending {
  readonly transport: Transport;
  readonly cancellation: Cancellation;
}

interface Waiting<Request> extends ShardRequest<Request> {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

interface Gathered<Request> {
  readonly nodeId: NodeId;
  readonly parts: Waiting<Request>[];
}

/** The batches of one phase. The first request of a turn schedules a microtask that sends all batches. */
export class ShardRequests<Request> {
  private readonly transport: Transport;
  private readonly cancellation: Cancellation;
  private readonly action: ShardAction<Request>;
  private gathered: Gathered<Request>[] = [];

  constructor({ transport, cancellation }: Sending, action: ShardAction<Request>) {
    this.transport = transport;
    this.cancellation = cancellation;
    this.action = action;
  }

  ask(nodeId: NodeId, { shard, request }: ShardRequest<Request>): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.batchFor(nodeId).parts.push({ shard, request, resolve, reject });
    });
  }

  private batchFor(nodeId: NodeId): Gathered<Request> {
    const { gathered } = this;
    const open = gathered.find((one) => one.nodeId === nodeId && one.parts.length < shardsMost);
    if (open !== undefined) return open;
    if (gathered.length === 0) void Promise.resolve().then(() => this.sendAll());
    const begun = { nodeId, parts: [] };
    gathered.push(begun);
    return begun;
  }

  private sendAll(): void {
    const { gathered } = this;
    this.gathered = [];
    for (const { nodeId, parts } of gathered) void this.send(nodeId, parts);
  }

  private async send(nodeId: NodeId, parts: readonly Waiting<Request>[]): Promise<void> {
    try {
      const [first, second] = parts;
      if (first !== undefined && second === undefined)
        first.resolve(await this.sendOne(nodeId, first));
      else settleEach(await this.sendSeveral(nodeId, parts), parts);
    } catch (error) {
      for (const { reject } of parts) reject(error);
    }
  }

  private sendOne(nodeId: NodeId, { shard, request }: Waiting<Request>): Promise<Uint8Array> {
    const { transport, cancellation, action } = this;
    return transport.request(nodeId, action.one, action.encode(request), { shard, cancellation });
  }

  private sendSeveral(nodeId: NodeId, parts: readonly Waiting<Request>[]): Promise<Uint8Array> {
    const { transport, cancellation, action } = this;
    const payload = action.encodeSeveral(parts.map(({ request }) => request));
    const shard = namesOfShards(parts.map((part) => part.shard));
    return transport.request(nodeId, action.several, payload, { shard, cancellation });
  }
}

function settleEach(answer: Uint8Array, parts: readonly Waiting<unknown>[]): void {
  const { results } = ShardResults.decode(answer);
  parts.forEach(({ resolve, reject }, i) => {
    const result = results[i];
    if (result === undefined) reject(new OperationError(noResult()));
    else if (result.problem === null) resolve(result.answer);
    else reject(new OperationError(readWireProblem(result.problem)));
  });
}
