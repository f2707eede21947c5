/**
 * A request for an index to the task that makes it: templates under the request, mappings merged, aliases checked. What the
 * reducers cannot do because they cannot read mappings and queries is done here, by whoever proposes.
 */
import {
  completeIndexSettings,
  composeIndex,
  type ClusterState,
  type IndexRequest,
  type Task,
} from "@orrery/cluster-state";
import { checkAliasFilter, composeMappings } from "@orrery/query";
import { fail, newUuid, type IndexUuid, type Random } from "@orrery/stdx";

export type CreateIndexTask = Extract<Task, { readonly kind: "create-index" }>;

export interface NewIndexRequest extends IndexRequest {
  /** As the client wrote it, date math included. */
  readonly providedName: string;
}

export interface PlannedIndex {
  readonly task: CreateIndexTask;
  /** To be told to the client. */
  readonly warnings: readonly string[];
}

/** Throws `OperationError` when templates and request do not go together. */
export function planIndex(
  state: ClusterState,
  request: NewIndexRequest,
  { random, nowMs }: { readonly random: Random; readonly nowMs: number },
): PlannedIndex {
  const composition = composeIndex(state, request);
  if (composition.kind === "rejected") fail(composition.error);
  const { index } = composition;
  const { name, providedName } = request;
  const uuid = newUuid(random) as IndexUuid;
  const settings = completeIndexSettings(state, {
    name,
    providedName,
    uuid,
    creationDateMs: nowMs,
    requested: index.settings,
  });
  for (const [alias, { filter }] of Object.entries(index.aliases)) checkAliasFilter(alias, filter);
  const mapping = composeMappings(index.mappings, settings);
  return {
    task: {
      kind: "create-index",
      name,
      uuid,
      creationDateMs: nowMs,
      settings,
      mapping,
      aliases: index.aliases,
    },
    warnings: index.warnings,
  };
}
