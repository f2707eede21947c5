/**
 * Rolls an alias or a data stream over to a new write index (`MetadataRolloverService`), if its write index is still the
 * one whose conditions the proposer has evaluated.
 */
import type { JsonObject } from "@orrery/stdx";
import {
  dataStreamsOf,
  withDataStream,
  withoutDataStreams,
  writeIndexOf,
} from "../data-streams.ts";
import type { ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, updated, withIndex } from "../updates.ts";
import { createIndex, type CreateIndex } from "./create-index.ts";
import { updateAliases } from "./update-aliases.ts";
import type { Rules } from "../rules.ts";

export interface RollOver {
  readonly kind: "roll-over";
  /** Name of the alias or data stream. */
  readonly target: string;
  /** The current write index. */
  readonly source: { readonly name: string; readonly uuid: string };
  readonly index: CreateIndex;
  /** Time and met conditions, stored in the metadata of the source. */
  readonly info: JsonObject;
  readonly nowMs: number;
}

/**
 * Rolls an alias or data stream over. Rejected as retryable when its write index is another one by now; also rejected
 * when that index is gone, or the new one cannot be created.
 */
export function rollOver(state: ClusterState, task: RollOver, rules: Rules): Outcome {
  const { source, target } = task;
  if (state.metadata.indices.get(source.name)?.uuid !== source.uuid) {
    return rejected(indexNotFound(source.name));
  }
  const outcome = dataStreamsOf(state).has(target)
    ? rollStream(state, task, rules)
    : rollAlias(state, task, rules);
  if (outcome.kind !== "updated") return outcome;
  const rolled = outcome.state.metadata.indices.get(source.name);
  if (rolled === undefined) return outcome;
  const rolloverInfo = { ...rolled.rolloverInfo, [target]: task.info };
  return updated(withIndex(outcome.state, withVersion({ ...rolled, rolloverInfo })));
}

function withVersion(index: IndexMetadata): IndexMetadata {
  return { ...index, version: index.version + 1 };
}

function rollStream(
  state: ClusterState,
  { target, source, index }: RollOver,
  rules: Rules,
): Outcome {
  const stream = dataStreamsOf(state).get(target);
  if (stream === undefined || writeIndexOf(stream) !== source.name) return moved(target, source);
  const outcome = createIndex(state, index, rules, withoutDataStreams(state, [target]));
  if (outcome.kind !== "updated") return outcome;
  const added = { index_name: index.name, index_uuid: index.uuid };
  return updated(
    withDataStream(outcome.state, {
      ...stream,
      indices: [...stream.indices, added],
      generation: stream.generation + 1,
    }),
  );
}

function rollAlias(
  state: ClusterState,
  { target, source, index, nowMs }: RollOver,
  rules: Rules,
): Outcome {
  const alias = state.metadata.indices.get(source.name)?.aliases.get(target);
  if (alias === undefined) return moved(target, source);
  const created = createIndex(state, index, rules);
  if (created.kind !== "updated") return created;
  const isExplicit = alias.isWriteIndex === true;
  const old = isExplicit
    ? ({ kind: "add", metadata: { ...alias, isWriteIndex: false } } as const)
    : ({ kind: "remove" } as const);
  const fresh = isExplicit ? { ...alias, isWriteIndex: true } : alias;
  return updateAliases(created.state, {
    kind: "update-aliases",
    actions: [
      { kind: "add", index: index.name, alias: target, metadata: fresh },
      { ...old, index: source.name, alias: target },
    ],
    nowMs,
  });
}

function moved(target: string, source: RollOver["source"]): Outcome {
  return rejected({
    type: "illegal_argument_exception",
    reason: `rollover target [${target}] no longer writes to [${source.name}]`,
    status: 400,
    isRetryable: true,
  });
}
