/**
 * What data nodes have on disk of shards that need a place: asked for when the allocator wants it, kept until the shard
 * has what it needs (`AsyncShardFetch`). Lost with the term of the elected cluster manager.
 */
import { shardKey, type ShardStores, type StoredCopy, type StoreFetch } from "@orrery/allocation";
import { copiesOf, primaryOf, type ClusterState } from "@orrery/cluster-state";
import type { Clock, Transport } from "@orrery/ports";
import { actions, StoredShardRequest, StoredShardResponse } from "@orrery/protocol";
import type { AllocationId, IndexUuid, NodeId } from "@orrery/stdx";

const requestTimeoutMs = 30_000;
/** Before a node that could not answer is asked again. */
const retryMs = 1000;

export interface ShardStoreCache {
  /** By `shardKey`, as the allocator reads it. */
  readonly known: ReadonlyMap<string, ShardStores>;
  fetch(needs: readonly StoreFetch[], state: ClusterState): void;
  /** A copy of the shard started or failed: what was known of it is old. */
  invalidate(index: string, shard: number): void;
  /** Nodes that could not read their copy are asked again with the next need: somebody says that it may be better now. */
  retry(): void;
  /** Forgets what a new state makes useless or wrong. */
  prune(state: ClusterState): void;
  end(): void;
}

interface Fetched {
  readonly uuid: IndexUuid;
  readonly index: string;
  readonly shard: number;
  /** When it was begun. Another need of the shard than that is asked for anew. */
  readonly hadPrimary: boolean;
  readonly pending: Set<NodeId>;
  /** Undefined: it has nothing. */
  readonly answers: Map<NodeId, StoredShardResponse | undefined>;
}

export interface ShardStoreCacheOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  /** All answers about a shard are in. */
  readonly complete: () => void;
}

export function createShardStoreCache(options: ShardStoreCacheOptions): ShardStoreCache {
  const fetched = new Map<string, Fetched>();
  const known = new Map<string, ShardStores>();
  let isEnded = false;

  const publish = (key: string, entry: Fetched): void => {
    known.set(key, {
      answeredNodeIds: [...entry.answers.keys()],
      pendingNodeIds: [...entry.pending],
      hadPrimary: entry.hadPrimary,
      copies: copiesIn(entry),
    });
  };

  const ask = async (key: string, entry: Fetched, nodeId: NodeId): Promise<void> => {
    const { index, shard, uuid } = entry;
    entry.pending.add(nodeId);
    const request = StoredShardRequest.encode({ index, indexUuid: uuid, shard }).finish();
    const answer = await options.transport
      .request(nodeId, actions.storedShard, request, { timeoutMs: requestTimeoutMs })
      .then(StoredShardResponse.decode, () => undefined);
    if (isEnded || fetched.get(key) !== entry) return;
    entry.pending.delete(nodeId);
    if (answer === undefined) {
      options.clock.setTimer(retryMs, () => {
        if (!isEnded && fetched.get(key) === entry) options.complete();
      });
    } else {
      entry.answers.set(nodeId, answer.exists ? answer : undefined);
    }
    publish(key, entry);
    if (entry.pending.size === 0 && answer !== undefined) options.complete();
  };

  const forget = (key: string): void => {
    fetched.delete(key);
    known.delete(key);
  };

  return {
    known,
    fetch(needs, state) {
      for (const { index, shard, nodeIds } of needs) {
        const uuid = state.metadata.indices.get(index)?.uuid;
        if (uuid === undefined) continue;
        const key = shardKey(index, shard);
        const hadPrimary = primaryOf(state, index, shard)?.nodeId !== undefined;
        const existing = fetched.get(key);
        const entry: Fetched =
          existing?.uuid === uuid && existing.hadPrimary === hadPrimary
            ? existing
            : { uuid, index, shard, hadPrimary, pending: new Set(), answers: new Map() };
        fetched.set(key, entry);
        const missing = nodeIds.filter((id) => !entry.pending.has(id) && !entry.answers.has(id));
        for (const nodeId of missing) void ask(key, entry, nodeId);
        publish(key, entry);
      }
    },
    invalidate: (index, shard) => forget(shardKey(index, shard)),
    retry() {
      for (const [key, entry] of fetched) {
        const failed = [...entry.answers].filter(([, answer]) => answer?.storeException);
        for (const [nodeId] of failed) entry.answers.delete(nodeId);
        if (failed.length > 0) publish(key, entry);
      }
    },
    prune(state) {
      for (const [key, entry] of [...fetched]) {
        const { index, shard, uuid } = entry;
        const copies = copiesOf(state, index, shard);
        const isSettled = copies.every((copy) => copy.state !== "UNASSIGNED");
        if (state.metadata.indices.get(index)?.uuid !== uuid || isSettled) {
          forget(key);
          continue;
        }
        const gone = [...entry.answers.keys()].filter((nodeId) => !state.nodes.has(nodeId));
        if (gone.length === 0) continue;
        for (const nodeId of gone) entry.answers.delete(nodeId);
        publish(key, entry);
      }
    },
    end() {
      isEnded = true;
      fetched.clear();
      known.clear();
    },
  };
}

/** Whoever has more operations needs fewer: that stands for the leases by which the primary keeps history. */
function copiesIn({ answers }: Fetched): StoredCopy[] {
  const retentionLeases = [...answers].flatMap(([nodeId, answer]) =>
    answer?.nextSeqNo == null ? [] : [{ nodeId, retainingSeqNo: answer.nextSeqNo }],
  );
  return [...answers].flatMap(([nodeId, answer]): StoredCopy[] => {
    if (answer === undefined) return [];
    const { allocationId, wasPrimary, storeException, files, syncId } = answer;
    return [
      {
        nodeId,
        allocationId: allocationId === "" ? undefined : (allocationId as AllocationId),
        wasPrimary,
        files,
        retentionLeases,
        ...(storeException === "" ? {} : { storeException }),
        ...(syncId === "" ? {} : { syncId }),
      },
    ];
  });
}
