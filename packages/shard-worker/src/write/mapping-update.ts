/**
 * Fields that documents introduce: proposed to the elected cluster manager, and awaited in the applied state
 * (`MappingUpdatedAction`). There is one proposal per index and worker at a time; a write that comes meanwhile waits
 * for it and parses again.
 */
import {
  encodeEntry,
  isMappingOvertaken,
  mappingChange,
  type IndexMetadata,
} from "@orrery/cluster-state";
import { detached, type RequestContext } from "@orrery/ports";
import { actions, SubmitTaskRequest } from "@orrery/protocol";
import { OperationError, type JsonObject } from "@orrery/stdx";
import { shardNotFound, type ShardCopy } from "../copy/shard-copy.ts";

const TIMEOUT_MS = 30_000;

export interface ProposedMapping {
  readonly mapping: JsonObject;
  /** The metadata that it was merged from; a change of another base is rejected. */
  readonly base: IndexMetadata;
  /** The write that introduces the fields; of several that wait for the same proposal, the first. */
  readonly context: RequestContext;
}

/**
 * Proposes a mapping to the cluster manager; resolves when this worker has applied the change, or another one that was
 * first. If a proposal for the index is under way already, waits for that one instead, whether it succeeds or fails.
 * The caller parses again in any case.
 */
export async function proposeMapping(copy: ShardCopy, proposed: ProposedMapping): Promise<void> {
  const proposals = copy.worker.mappingProposals;
  const other = proposals.get(copy.indexUuid);
  if (other !== undefined) {
    await other.catch(() => undefined);
    return;
  }
  const proposal = propose(copy, proposed).finally(() => proposals.delete(copy.indexUuid));
  proposals.set(copy.indexUuid, proposal);
  await proposal;
}

/** Submits the change through this node, and waits until this worker has applied it. */
async function propose(
  copy: ShardCopy,
  { mapping, base, context }: ProposedMapping,
): Promise<void> {
  const { worker, index, indexUuid } = copy;
  const task = encodeEntry({
    tasks: [mappingChange(base, mapping)],
  });
  const payload = SubmitTaskRequest.encode({
    id: "",
    task,
    source: `put-mapping [${index}/${indexUuid}]`,
    priority: "HIGH",
    managerTimeoutMs: TIMEOUT_MS,
    ackTimeoutMs: 0,
  }).finish();
  try {
    await worker.endpoint.request(worker.nodeId, actions.submitTask, payload, {
      context: detached(context),
    });
  } catch (error) {
    // Another change was first: the caller parses again with its mapping.
    if (!isMappingOvertaken(error)) throw error;
  }
  await mappingNewerThan(copy, base.mappingVersion, TIMEOUT_MS);
}

/**
 * Resolves when the worker has applied a mapping version above `version`, or a state without the index. `timeoutMs` of
 * `undefined`: the wait has no limit, since a replica cannot refuse an operation that its primary has executed.
 * @throws OperationError `shard_not_found_exception` when the copy is closed meanwhile;
 *   `process_cluster_event_timeout_exception`.
 */
export async function mappingNewerThan(
  copy: ShardCopy,
  version: number,
  timeoutMs?: number,
): Promise<void> {
  if (copy.service.metadata.mappingVersion > version) return;
  const state = await copy.worker.stateWhen((next) => {
    const metadata = next.metadata.indices.get(copy.index);
    if (copy.state === "CLOSED" || metadata?.uuid !== copy.indexUuid) return true;
    return metadata.mappingVersion > version;
  }, timeoutMs);
  if (copy.state === "CLOSED") throw new OperationError(shardNotFound(copy));
  if (state !== undefined) return;
  throw new OperationError({
    type: "process_cluster_event_timeout_exception",
    reason: `failed to process cluster event (put-mapping) within ${TIMEOUT_MS / 1000}s`,
    status: 503,
    isRetryable: true,
  });
}
