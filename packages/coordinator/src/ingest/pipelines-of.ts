/**
 * Resolution of the ingest pipelines of a write: the request's pipeline, else the default pipeline of the index; then
 * the final pipeline of the index. For an index that does not exist yet, the settings of its template count. Source:
 * `IngestService.resolvePipelines`.
 */
import {
  composeIndex,
  findIndexTemplate,
  indexTemplatesOf,
  resolveDateMath,
  resolveWriteIndex,
  type ClusterState,
  type Settings,
} from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import type { WriteItem } from "../types.ts";

/** Ids of the pipelines that a write passes: first `initial`, then `final`. `undefined`: there is none. */
export interface IndexPipelines {
  readonly initial: string | undefined;
  readonly final: string | undefined;
}

const NONE = "_none";
const without: IndexPipelines = { initial: undefined, final: undefined };

/** Pipelines by index, each resolved once per request. */
export class PipelinesOfIndices {
  private readonly state: ClusterState;
  private readonly nowMs: number;
  private readonly known = new Map<string, IndexPipelines>();

  constructor(state: ClusterState, nowMs: number) {
    this.state = state;
    this.nowMs = nowMs;
  }

  of(name: string): IndexPipelines {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const found = pipelinesIn(settingsOf(this.state, name, this.nowMs));
    this.known.set(name, found);
    return found;
  }

  /**
   * The pipelines of an item whose source is the document: the item's own pipeline, if it has one, replaces the default
   * pipeline of the index.
   */
  ofItem({ index, pipeline }: Pick<WriteItem, "index" | "pipeline">): IndexPipelines {
    const own = this.of(index);
    return pipeline === undefined ? own : { initial: named(pipeline), final: own.final };
  }
}

/**
 * Whether some item may have a pipeline. False: none has one; true may turn out wrong. Costs one look-up of metadata
 * for each run of items of the same index.
 */
export function mayHavePipelines(state: ClusterState, items: readonly WriteItem[]): boolean {
  let last: string | undefined;
  for (const { operation, index, pipeline } of items) {
    if (pipeline !== undefined && pipeline !== NONE && operation !== "delete") return true;
    if (index === last || operation === "delete") continue;
    const settings = state.metadata.indices.get(index)?.settings;
    if (settings === undefined) return true;
    if (hasPipelines(pipelinesIn(settings))) return true;
    last = index;
  }
  return false;
}

/** Whether the index of an item, existing or planned by a template, has a pipeline of its own. */
export function hasPipelinesOf(state: ClusterState, item: WriteItem, nowMs: number): boolean {
  if (!mayHavePipelines(state, [item])) return false;
  return hasPipelines(new PipelinesOfIndices(state, nowMs).of(item.index));
}

/** Whether a document runs through any pipeline. */
export function hasPipelines({ initial, final }: IndexPipelines): boolean {
  return initial !== undefined || final !== undefined;
}

function pipelinesIn(settings: Settings): IndexPipelines {
  const initial = settings["index.default_pipeline"];
  const final = settings["index.final_pipeline"];
  if (initial === undefined && final === undefined) return without;
  return { initial: named(initial), final: named(final) };
}

function named(pipeline: string | readonly string[] | undefined): string | undefined {
  return typeof pipeline !== "string" || pipeline === NONE ? undefined : pipeline;
}

/** Settings of the write index of a name, or of the index that its template would create; empty when neither exists. */
function settingsOf(state: ClusterState, expression: string, nowMs: number): Settings {
  try {
    const index = state.metadata.indices.get(expression);
    if (index !== undefined) return index.settings;
    const name = resolveDateMath(expression, nowMs);
    const found = writeIndexSettings(state, expression, nowMs);
    return found ?? templateSettings(state, name);
  } catch (error) {
    // An unresolvable name fails its item later, when the target is resolved.
    if (error instanceof OperationError) return {};
    throw error;
  }
}

function writeIndexSettings(
  state: ClusterState,
  expression: string,
  nowMs: number,
): Settings | undefined {
  try {
    return resolveWriteIndex(state, expression, nowMs).metadata.settings;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

function templateSettings(state: ClusterState, name: string): Settings {
  const template = findIndexTemplate(state, name, false);
  const isStream =
    template !== undefined && indexTemplatesOf(state).get(template)?.data_stream !== undefined;
  const request = { name, settings: {}, mapping: {}, aliases: {} };
  const composition = composeIndex(state, isStream ? { ...request, dataStream: name } : request);
  return composition.kind === "composed" ? textSettings(composition.index.settings) : {};
}

function textSettings(settings: Readonly<Record<string, unknown>>): Settings {
  const { "index.default_pipeline": initial, "index.final_pipeline": final } = settings;
  return {
    ...(typeof initial === "string" ? { "index.default_pipeline": initial } : {}),
    ...(typeof final === "string" ? { "index.final_pipeline": final } : {}),
  };
}
