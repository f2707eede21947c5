/**
 * Fields that documents introduce: proposed to the cluster manager through this node, awaited in the applied state.
 *
 * One proposal an index and worker at a time; whoever comes meanwhile looks again at the mapping that results.
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
  /** What it was made from. */
  readonly base: IndexMetadata;
  /** Of the write that introduces the fields: the first of those that wait for the same proposal. */
  readonly context: RequestContext;
}

/** Ends when the mapping of the copy's index has changed since the proposal was made. */
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
    // The caller parses again, with the mapping that there is then.
    if (!isMappingOvertaken(error)) throw error;
  }
  await mappingNewerThan(copy, base.mappingVersion, TIMEOUT_MS);
}

/** Waits until the worker has applied a mapping newer than this; a replica does so for as long as it takes. */
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
