/** Creates a data stream with its first backing index (`MetadataCreateDataStreamService`). */
import { illegalArgument, type Problem } from "@orrery/stdx";
import { dataStreamsOf, newStreamProblem, withDataStream } from "../data-streams.ts";
import { nameComplaint } from "../index-names.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, updated } from "../updates.ts";
import { createIndex, type CreateIndex } from "./create-index.ts";
import type { Rules } from "../rules.ts";

export interface CreateDataStream {
  readonly kind: "create-data-stream";
  readonly name: string;
  readonly timestampField: string;
  readonly index: CreateIndex;
}

/**
 * Creates a data stream and its first backing index. Rejected when the name is invalid or taken, or when the backing
 * index cannot be created.
 */
export function createDataStream(
  state: ClusterState,
  task: CreateDataStream,
  rules: Rules,
): Outcome {
  const problem = dataStreamProblem(state, task.name) ?? newStreamProblem(state, task.name);
  if (problem !== undefined) return rejected(problem);
  const { name, index } = task;
  const outcome = createIndex(state, index, rules);
  if (outcome.kind !== "updated") return outcome;
  return updated(
    withDataStream(outcome.state, {
      name,
      timestamp_field: { name: task.timestampField },
      indices: [{ index_name: index.name, index_uuid: index.uuid }],
      generation: 1,
    }),
  );
}

/** Why no stream of this name can be created: one exists, or the name is invalid. Also checked before templates are applied. */
export function dataStreamProblem(state: ClusterState, name: string): Problem | undefined {
  if (dataStreamsOf(state).has(name)) {
    return {
      type: "resource_already_exists_exception",
      reason: `data_stream [${name}] already exists`,
      status: 400,
    };
  }
  const complaint = nameComplaint(name) ?? streamComplaint(name);
  if (complaint === undefined) return undefined;
  return illegalArgument(`data_stream [${name}] ${complaint}`).problem;
}

function streamComplaint(name: string): string | undefined {
  if (name !== name.toLowerCase()) return "must be lowercase";
  return name.startsWith(".") ? "must not start with '.'" : undefined;
}
