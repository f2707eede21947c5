/** Adds or replaces an ingest pipeline (`IngestService.innerPut`). */
import { ingestPipelinesOf, withIngestPipelines } from "../ingest-pipelines.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface PutIngestPipeline {
  readonly kind: "put-ingest-pipeline";
  readonly id: string;
  /** JSON text, which the proposer has compiled as a check. */
  readonly definition: string;
}

/** Stores an ingest pipeline. Unchanged when the stored definition is the same text. */
export function putIngestPipeline(state: ClusterState, task: PutIngestPipeline): Outcome {
  const pipelines = ingestPipelinesOf(state);
  if (pipelines.get(task.id) === task.definition) return unchanged;
  return updated(withIngestPipelines(state, new Map(pipelines).set(task.id, task.definition)));
}
