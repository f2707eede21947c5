/**
 * Cache of stored shard copies (`AsyncShardFetch`, `GatewayAllocator`): what each data node has on disk of an unassigned
 * shard. The allocator requests it when it needs it, decides without it meanwhile ("awaiting fetch"), and is run again
 * when all answers for a shard are complete. Volatile: the next term fetches anew.
 */
import { shardKey, type ShardStores, type StoredCopy, type StoreFetch } from "@orrery/allocation";
import { copiesOf, primaryOf, type ClusterState } from "@orrery/cluster-state";
import type { Clock, Transport } from "@orrery/ports";
import { actions, StoredShardRequest, StoredShardResponse } from "@orrery/protocol";
import type { AllocationId, IndexUuid, NodeId } from "@orrery/stdx";

const requestTimeoutMs = 30_000;
/** Pause before the next request after a node did not answer. */
const retryMs = 1000;

/** The cache of one term. */
export interface ShardStoreCache {
  /** Answers by `shardKey`, complete or not, as the allocator reads them. */
  readonly known: ReadonlyMap<string, ShardStores>;
  /** Requests the answers that a round needed and that are neither known nor pending. */
  fetch(needs: readonly StoreFetch[], state: ClusterState): void;
  /** Drops the answers for a shard whose copy started or failed: disks have changed since. */
  invalidate(index: string, shard: number): void;
  /** Drops answers of nodes that could not open their copy, so that a client's `retry_failed` requests them anew. */
  retry(): void;
  /** Drops what the state has made useless: deleted indices, shards without unassigned copies, nodes that left. */
  prune(state: ClusterState): void;
  end(): void;
}

/** Answers for one shard. */
interface Fetched {
  readonly uuid: IndexUuid;
  readonly index: string;
  readonly shard: number;
  /**
   * Whether the shard had an assigned primary when the fetch began. A primary and a replica are placed by different
   * answers (allocation ids, files to reuse), so a change of this starts the fetch over.
   */
  readonly hadPrimary: boolean;
  readonly pending: Set<NodeId>;
  /** Undefined for a node that has no copy. */
  readonly answers: Map<NodeId, StoredShardResponse | undefined>;
}

export interface ShardStoreCacheOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Called when no answer for a shard is pending, and when a node is due to be asked again: a reroute is needed. */
  readonly complete: () => void;
}

/** A cache of the shard copies that nodes have in their stores; empty at first. */
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
    // A node that did not answer is neither pending nor answered: the reroute after the pause finds the need again.
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
        // A deleted and recreated index has another uuid, and its disks other copies: the entry starts over then, too.
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

/**
 * Copies of the answers. `nextSeqNo` of a copy stands for its retention lease: the copy with the most operations needs
 * the fewest replayed, which is what the allocator compares.
 */
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
