/**
 * The ingest stage of a bulk: documents go through their pipelines on the node that coordinates the write, before missing indices are made,
 * so that a document that is dropped or goes elsewhere makes none. An item goes through once: attempts on primaries send what came of it.
 * Source: `IngestService.executeBulkRequest`.
 */
import { formatInstant, ingestPipelinesOf, type ClusterState } from "@orrery/cluster-state";
import { createTurns, MAIN_TURN_MS } from "@orrery/ports";
import { OperationError, utf8Encode, type Problem } from "@orrery/stdx";
import {
  IngestDocument,
  pipelineMissing,
  printTree,
  readMap,
  runPipeline,
  type RunInput,
  type TreeObject,
} from "@orrery/ingest";
import type { CoordinatorDeps } from "../deps.ts";
import type { WriteFailure, WriteItem, WriteResult } from "../types.ts";
import { metadataAfter, metadataBefore, placeholderVersion } from "./item-metadata.ts";
import {
  hasPipelines,
  mayHavePipelines,
  PipelinesOfIndices,
  type IndexPipelines,
} from "./pipelines-of.ts";
import { upsertOf, withUpsert } from "./upsert.ts";

/** Outcome of an item: a write that goes on, or its answer. */
export type Ingested = WriteItem | WriteFailure | WriteResult;

export interface IngestStage {
  /** In the order of the request. */
  readonly items: readonly Ingested[];
  readonly tookMs: number;
}

/** Items that are in pipelines at the same time: a processor may wait for something. */
const AT_ONCE = 32;

export function isAnswer(item: Ingested): item is WriteFailure | WriteResult {
  return "kind" in item;
}

/** `undefined`: every item goes on as it is. */
export async function ingest(
  deps: CoordinatorDeps,
  items: readonly WriteItem[],
): Promise<IngestStage | undefined> {
  const state = deps.state();
  if (!mayHavePipelines(state, items)) return undefined;
  const startedMs = deps.clock.monotonicMs();
  const pipelines = new PipelinesOfIndices(state, deps.clock.nowMs());
  const stage = createStage(deps, state, pipelines);
  const ways = items.map((item) => wayOf(item, pipelines));
  if (ways.every((way) => way === undefined)) return undefined;
  const ingested: Ingested[] = [...items];
  let next = 0;
  const goOn = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      const way = ways[i];
      if (way !== undefined) ingested[i] = await throughPipelines(stage, way);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, goOn));
  return { items: ingested, tookMs: Math.round(deps.clock.monotonicMs() - startedMs) };
}

/** A document, the item that it is part of, and the pipelines that it goes through. */
interface Way {
  readonly item: WriteItem;
  readonly pipelines: IndexPipelines;
  /** Throws `OperationError` for a source that is no JSON object. */
  read(): TreeObject;
  /** The write with the document as the pipelines left it. */
  written(item: WriteItem, source: TreeObject): WriteItem;
}

function wayOf(item: WriteItem, indices: PipelinesOfIndices): Way | undefined {
  if (item.operation === "delete" || item.onlyPlan === true) return undefined;
  const pipelines = indices.ofItem(item);
  const own = indices.of(item.index);
  if (!hasPipelines(pipelines) && !hasPipelines(own)) return undefined;
  if (item.operation === "update") {
    const upsert = upsertOf(item);
    if (upsert === undefined) return undefined;
    // A part that is the document too is not the request's: its pipeline is that of the index.
    const chosen = upsert.member === "doc" ? own : pipelines;
    if (!hasPipelines(chosen)) return undefined;
    return {
      item,
      pipelines: chosen,
      read: () => upsert.document,
      written: (_item, source) => withUpsert(item, upsert, source),
    };
  }
  if (!hasPipelines(pipelines)) return undefined;
  return {
    item,
    pipelines,
    read: () => readMap(item.source),
    written: (next, source) => ({ ...next, source: utf8Encode(printTree(source)) }),
  };
}

interface Stage {
  readonly indices: PipelinesOfIndices;
  readonly input: RunInput;
  /** When it runs, as documents are told. */
  timestamp(): string;
}

function createStage(
  { clock, context, pipelines: table, onUnforeseen }: CoordinatorDeps,
  state: ClusterState,
  indices: PipelinesOfIndices,
): Stage {
  const definitions = ingestPipelinesOf(state);
  return {
    indices,
    input: {
      context,
      turns: createTurns(clock, MAIN_TURN_MS),
      pipeline: (id) => table.get(definitions, id),
      onUnforeseen,
    },
    timestamp: () => formatInstant(clock.nowMs()),
  };
}

async function throughPipelines(stage: Stage, way: Way): Promise<Ingested> {
  const { initial, final } = way.pipelines;
  let { item } = way;
  try {
    let passed: Passed = { item, source: way.read() };
    if (initial !== undefined) {
      const next = await through(stage, initial, passed);
      if (next === undefined) return droppedAnswer(item);
      passed = next;
    }
    const hasMoved = passed.item.index !== item.index;
    const last = hasMoved ? stage.indices.of(passed.item.index).final : final;
    if (last !== undefined) {
      const { index } = passed.item;
      const next = await through(stage, last, passed);
      if (next === undefined) return droppedAnswer(item);
      if (next.item.index !== index) throw movedAtTheEnd(last);
      passed = next;
    }
    ({ item } = passed);
    return way.written(item, passed.source);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return failedAnswer(way.item, error.problem);
  }
}

interface Passed {
  readonly item: WriteItem;
  readonly source: TreeObject;
}

/** `undefined`: the document was dropped. */
async function through(
  { input, timestamp }: Stage,
  id: string,
  { item, source }: Passed,
): Promise<Passed | undefined> {
  const pipeline = input.pipeline(id) ?? pipelineMissing(id);
  const document = new IngestDocument(source, metadataBefore(item), timestamp());
  const verdict = await runPipeline(pipeline, document, input);
  if (verdict === "dropped") return undefined;
  const { source: next, metadata } = document.finish();
  return { item: metadataAfter(item, metadata), source: next };
}

function movedAtTheEnd(pipeline: string): OperationError {
  const reason = `FINAL pipeline [${pipeline}] can't change the target index`;
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

/** Of the version that stands for none, as the product prints it. */
function droppedAnswer(item: WriteItem): WriteResult {
  const { operation, index, id } = item;
  return {
    kind: "done",
    operation,
    index,
    id: id ?? "auto-generated",
    version: placeholderVersion(item),
    seqNo: -2,
    primaryTerm: 0,
    result: "noop",
    status: 200,
    shards: { total: 0, successful: 0, failed: 0, failures: [] },
    forcedRefresh: false,
    get: undefined,
  };
}

function failedAnswer({ operation, index, id }: WriteItem, problem: Problem): WriteFailure {
  return { kind: "failed", operation, index, id, status: problem.status, problem };
}
