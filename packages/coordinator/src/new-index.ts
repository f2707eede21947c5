/**
 * A request for an index to the task that makes it: templates under the request, mappings merged, aliases checked. What the
 * reducers cannot do because they cannot read mappings and queries is done here, by whoever proposes.
 */
import {
  backingIndexName,
  completeIndexSettings,
  composeIndex,
  dataStreamProblem,
  findIndexTemplate,
  indexTemplatesOf,
  type ClusterState,
  type IndexRequest,
  type IndexTemplate,
  type Task,
} from "@orrery/cluster-state";
import {
  checkAliasFilter,
  checkPartitioned,
  composeMappings,
  type SearchLanguage,
} from "@orrery/query";
import { fail, illegalArgument, newUuid, type IndexUuid, type Random } from "@orrery/stdx";

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

export type CreateDataStreamTask = Extract<Task, { readonly kind: "create-data-stream" }>;

/** The stream that a template for data streams makes of a name; throws when none does. */
export function planDataStream(
  state: ClusterState,
  name: string,
  input: PlanInput,
): CreateDataStreamTask {
  const problem = dataStreamProblem(state, name);
  if (problem !== undefined) fail(problem);
  const template = dataStreamTemplate(state, name);
  const { task } = planBackingIndex(state, { stream: name, generation: 1 }, input);
  const timestampField = template.data_stream?.timestamp_field.name ?? "@timestamp";
  return { kind: "create-data-stream", name, timestampField, index: task };
}

/** Backing indices are hidden, and match templates by the name of their stream. */
export function planBackingIndex(
  state: ClusterState,
  { stream, generation }: { readonly stream: string; readonly generation: number },
  input: PlanInput,
): PlannedIndex {
  const name = backingIndexName(stream, generation);
  const settings = { "index.hidden": "true" };
  const request = { name, providedName: name, dataStream: stream, settings };
  return planIndex(state, { ...request, mapping: {}, aliases: {} }, input);
}

function dataStreamTemplate(state: ClusterState, name: string): IndexTemplate {
  const found = findIndexTemplate(state, name, false);
  const template = found === undefined ? undefined : indexTemplatesOf(state).get(found);
  if (found === undefined || template === undefined) {
    throw illegalArgument(`no matching index template found for data stream [${name}]`);
  }
  if (template.data_stream !== undefined) return template;
  throw illegalArgument(
    `matching index template [${found}] for data stream [${name}] has no data stream template`,
  );
}

export interface PlanInput {
  readonly language: SearchLanguage;
  readonly random: Random;
  readonly nowMs: number;
}

/** Throws `OperationError` when templates and request do not go together. */
export function planIndex(
  state: ClusterState,
  request: NewIndexRequest,
  { language, random, nowMs }: PlanInput,
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
  for (const [alias, { filter }] of Object.entries(index.aliases))
    checkAliasFilter(language, alias, filter);
  const mapping = composeMappings(language, index.mappings, settings);
  checkPartitioned(name, { json: mapping }, settings);
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
