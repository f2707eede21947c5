/**
 * Plans the creation of an index or a data stream: merges the request over the matching templates, merges and
 * compiles mappings, checks aliases, and returns the cluster state update task. Reducers cannot read mappings or
 * queries, so the proposer does this before it submits the task.
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

/** The task that creates one index, with settings and mapping already resolved. */
export type CreateIndexTask = Extract<Task, { readonly kind: "create-index" }>;

/** A request to create an index, before templates are applied. */
export interface NewIndexRequest extends IndexRequest {
  /** The name in the request, with date math unresolved: the setting `index.provided_name`. */
  readonly providedName: string;
}

/** The planned creation of an index: the task to submit, and warnings for the client. */
export interface PlannedIndex {
  readonly task: CreateIndexTask;
  /** Deprecation warnings for the response header. */
  readonly warnings: readonly string[];
}

/** The task that creates a data stream together with its first backing index. */
export type CreateDataStreamTask = Extract<Task, { readonly kind: "create-data-stream" }>;

/**
 * Plans the data stream that a template with `data_stream` defines for a name. Throws when the name is invalid or
 * taken, when no such template matches, or when the backing index cannot be planned.
 */
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

/** Plans one backing index of a data stream: a hidden index, whose templates match the name of the stream, not its own. */
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

/** Everything a plan needs beside cluster state and request; `random` generates the index uuid. */
export interface PlanInput {
  readonly language: SearchLanguage;
  readonly random: Random;
  readonly nowMs: number;
}

/** Plans an index. Throws `OperationError` when templates and request contradict each other, or a mapping or alias is invalid. */
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
