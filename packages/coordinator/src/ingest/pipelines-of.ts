/**
 * Which ingest pipelines a write goes through: that of the request, else the default one of its index, and the final one of its index after
 * it. An index that is still to be made has those of its template. Source: `IngestService.resolvePipelines`.
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

/** `undefined`: none. */
export interface IndexPipelines {
  readonly initial: string | undefined;
  readonly final: string | undefined;
}

const NONE = "_none";
const without: IndexPipelines = { initial: undefined, final: undefined };

/** Those of indices, each looked up once for a request. */
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

  /** Of an item whose document is its source. */
  ofItem({ index, pipeline }: Pick<WriteItem, "index" | "pipeline">): IndexPipelines {
    const own = this.of(index);
    return pipeline === undefined ? own : { initial: named(pipeline), final: own.final };
  }
}

/**
 * Whether an item may have a pipeline; without one, a bulk costs a look at the metadata of each index that it names. `false` is certain.
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

export function hasPipelinesOf(state: ClusterState, item: WriteItem, nowMs: number): boolean {
  if (!mayHavePipelines(state, [item])) return false;
  return hasPipelines(new PipelinesOfIndices(state, nowMs).of(item.index));
}

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

/** Of the index that a write through the name goes to, or of the one that would be made; empty where there is none. */
function settingsOf(state: ClusterState, expression: string, nowMs: number): Settings {
  try {
    const index = state.metadata.indices.get(expression);
    if (index !== undefined) return index.settings;
    const name = resolveDateMath(expression, nowMs);
    const found = writeIndexSettings(state, expression, nowMs);
    return found ?? templateSettings(state, name);
  } catch (error) {
    // A name that leads nowhere is told when the item is placed.
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
