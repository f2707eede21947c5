/**
 * The ingest stage of a bulk, on the coordinating node. It runs before indices are created, so that a dropped or
 * redirected document creates none. A document passes its pipelines once: retries on the primary send the resulting
 * write. Source: `IngestService.executeBulkRequest`.
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

/** Outcome of an item: a write that continues, or its answer (failed or dropped). */
export type Ingested = WriteItem | WriteFailure | WriteResult;

/** The items of a bulk after their pipelines. */
export interface IngestStage {
  /** In the order of the request. */
  readonly items: readonly Ingested[];
  readonly tookMs: number;
}

/** Items that are in pipelines concurrently: a processor may be asynchronous. */
const AT_ONCE = 32;

/** Whether an item needs no write: it failed, or a pipeline dropped it. */
export function isAnswer(item: Ingested): item is WriteFailure | WriteResult {
  return "kind" in item;
}

/** Runs the pipelines of all items; `undefined` when no item has a pipeline, which costs no copy of the list. */
export async function ingest(
  deps: CoordinatorDeps,
  items: readonly WriteItem[],
): Promise<IngestStage | undefined> {
  const state = deps.state();
  if (!mayHavePipelines(state, items)) return undefined;
  const startedMs = deps.clock.monotonicMs();
  const pipelines = new PipelinesOfIndices(state, deps.clock.nowMs());
  const stage = createStage(deps, state, pipelines);
  const inputs = items.map((item) => pipelineInputOf(item, pipelines));
  if (inputs.every((input) => input === undefined)) return undefined;
  const ingested: Ingested[] = [...items];
  let next = 0;
  const runNext = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      const input = inputs[i];
      if (input !== undefined) ingested[i] = await runPipelines(stage, input);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, runNext));
  return { items: ingested, tookMs: Math.round(deps.clock.monotonicMs() - startedMs) };
}

/** A document that runs through pipelines: the item it belongs to, and its access to the source. */
interface PipelineInput {
  readonly item: WriteItem;
  readonly pipelines: IndexPipelines;
  /** Parses the document. Throws `OperationError` when the source is no JSON object. */
  read(): TreeObject;
  /** The write that carries the document after the last pipeline. */
  written(item: WriteItem, source: TreeObject): WriteItem;
}

function pipelineInputOf(item: WriteItem, indices: PipelinesOfIndices): PipelineInput | undefined {
  if (item.operation === "delete" || item.onlyPlan === true) return undefined;
  const pipelines = indices.ofItem(item);
  const own = indices.of(item.index);
  if (!hasPipelines(pipelines) && !hasPipelines(own)) return undefined;
  if (item.operation === "update") {
    const upsert = upsertOf(item);
    if (upsert === undefined) return undefined;
    // When `doc` itself is the upsert document, the product ignores the request's pipeline and takes those of the
    // index.
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
  /** Value of `_ingest.timestamp`. */
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

async function runPipelines(stage: Stage, input: PipelineInput): Promise<Ingested> {
  const { initial, final } = input.pipelines;
  let { item } = input;
  try {
    let passed: Passed = { item, source: input.read() };
    if (initial !== undefined) {
      const next = await runOne(stage, initial, passed);
      if (next === undefined) return droppedAnswer(item);
      passed = next;
    }
    const hasMoved = passed.item.index !== item.index;
    const last = hasMoved ? stage.indices.of(passed.item.index).final : final;
    if (last !== undefined) {
      const { index } = passed.item;
      const next = await runOne(stage, last, passed);
      if (next === undefined) return droppedAnswer(item);
      if (next.item.index !== index) throw movedAtTheEnd(last);
      passed = next;
    }
    ({ item } = passed);
    return input.written(item, passed.source);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return failedAnswer(input.item, error.problem);
  }
}

interface Passed {
  readonly item: WriteItem;
  readonly source: TreeObject;
}

/** Runs a document through one pipeline; `undefined` when a processor dropped it. */
async function runOne(
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

/** Answer for a dropped document: version and sequence number are the product's placeholders. */
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
