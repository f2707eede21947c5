/** Deletes ingest pipelines, even those that indices refer to (`IngestService.innerDelete`). */
import { matchesGlob } from "@orrery/stdx";
import { ingestPipelinesOf, withIngestPipelines } from "../ingest-pipelines.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface DeleteIngestPipelines {
  readonly kind: "delete-ingest-pipelines";
  /** Id, or a pattern with `*`. */
  readonly pattern: string;
}

/** Deletes the pipelines that a pattern matches. Rejected when none does, unless the pattern is `*`. */
export function deleteIngestPipelines(state: ClusterState, task: DeleteIngestPipelines): Outcome {
  const { pattern } = task;
  const pipelines = ingestPipelinesOf(state);
  const left = [...pipelines].filter(([id]) => !matchesGlob(pattern, id));
  if (left.length < pipelines.size) return updated(withIngestPipelines(state, new Map(left)));
  if (pattern === "*") return unchanged;
  const reason = `pipeline [${pattern}] is missing`;
  return rejected({ type: "resource_not_found_exception", reason, status: 404 });
}
