/**
 * Simulation of a pipeline: documents pass it and are not written. Outcomes keep the order of the request. Source:
 * `SimulateExecutionService`.
 */
import { formatInstant, ingestPipelinesOf } from "@orrery/cluster-state";
import {
  createPipeline,
  IngestDocument,
  runPipeline,
  type Pipeline,
  type RunInput,
} from "@orrery/ingest";
import { createTurns, MAIN_TURN_MS } from "@orrery/ports";
import { illegalArgument, OperationError } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { SimulatedDocument, SimulatePipelineRequest } from "../types.ts";

/** Runs documents through a stored pipeline or a given definition. Throws when the pipeline is missing or invalid. */
export async function simulatePipeline(
  deps: CoordinatorDeps,
  { pipeline: given, documents }: SimulatePipelineRequest,
): Promise<readonly SimulatedDocument[]> {
  const { clock, context, pipelines: table, onUnforeseen } = deps;
  const definitions = ingestPipelinesOf(deps.state());
  const find = (id: string): Pipeline | undefined => table.get(definitions, id);
  const pipeline =
    typeof given === "string"
      ? (find(given) ?? missing(given))
      : createPipeline("_simulate_pipeline", given, table.types);
  const input = { context, turns: createTurns(clock, MAIN_TURN_MS), pipeline: find, onUnforeseen };
  const simulated: SimulatedDocument[] = [];
  for (const { source, metadata } of documents) {
    const timestamp = formatInstant(clock.nowMs());
    const document = new IngestDocument(source, metadata, timestamp);
    simulated.push(await outcomeOf(pipeline, document, input));
  }
  return simulated;
}

async function outcomeOf(
  pipeline: Pipeline,
  document: IngestDocument,
  input: RunInput,
): Promise<SimulatedDocument> {
  try {
    const verdict = await runPipeline(pipeline, document, input);
    return verdict === "dropped" ? { kind: "dropped" } : { kind: "kept", ...document.finish() };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { kind: "failed", problem: error.problem };
  }
}

function missing(id: string): never {
  throw illegalArgument(`pipeline [${id}] does not exist`);
}
