/** Adds and removes aliases of concrete indices; all actions or none. */
import type { Problem } from "@orrery/stdx";
import { aliasAgreementProblem, aliasProblem } from "../aliases.ts";
import { withTombstone } from "../graveyard.ts";
import { isSameJson } from "../same-json.ts";
import type { AliasMetadata, ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex } from "../updates.ts";
import { withoutBackingIndex, withoutIndex, writeIndexProblem } from "./delete-index.ts";

export type AliasAction =
  | {
      readonly kind: "add";
      readonly index: string;
      readonly alias: string;
      readonly metadata: AliasMetadata;
    }
  | {
      readonly kind: "remove";
      readonly index: string;
      readonly alias: string;
      readonly mustExist?: boolean;
    }
  | { readonly kind: "remove-index"; readonly index: string };

export interface UpdateAliases {
  readonly kind: "update-aliases";
  readonly actions: readonly AliasAction[];
  readonly nowMs: number;
}

export function updateAliases(state: ClusterState, task: UpdateAliases): Outcome {
  const removed = task.actions.filter((action) => action.kind === "remove-index");
  let next = state;
  for (const { index } of removed) {
    const metadata = next.metadata.indices.get(index);
    if (metadata === undefined) return rejected(indexNotFound(index));
    const problem = writeIndexProblem(next, index);
    if (problem !== undefined) return rejected(problem);
    const buried = { index, uuid: metadata.uuid, nowMs: task.nowMs };
    next = withoutBackingIndex(withTombstone(withoutIndex(next, index), buried), index);
  }
  const touched = new Map<string, IndexMetadata>();
  for (const action of task.actions) {
    if (action.kind === "remove-index") continue;
    const metadata = touched.get(action.index) ?? next.metadata.indices.get(action.index);
    if (metadata === undefined) return rejected(indexNotFound(action.index));
    const changed = changeOne(next, metadata, action);
    if ("kind" in changed) return changed;
    touched.set(action.index, changed);
  }
  return finish(state, next, touched, task.actions);
}

function changeOne(
  state: ClusterState,
  metadata: IndexMetadata,
  action: Exclude<AliasAction, { kind: "remove-index" }>,
): IndexMetadata | Extract<Outcome, { kind: "rejected" }> {
  const aliases = new Map(metadata.aliases);
  if (action.kind === "remove") {
    if (!aliases.delete(action.alias) && action.mustExist === true) {
      return { kind: "rejected", error: aliasesMissing([action.alias]) };
    }
    return { ...metadata, aliases };
  }
  const error = aliasProblem(state, metadata, action.alias, action.metadata);
  if (error !== undefined) return { kind: "rejected", error };
  aliases.set(action.alias, action.metadata);
  return { ...metadata, aliases };
}

function finish(
  before: ClusterState,
  state: ClusterState,
  touched: ReadonlyMap<string, IndexMetadata>,
  actions: readonly AliasAction[],
): Outcome {
  let next = state;
  for (const [name, metadata] of touched) {
    const old = state.metadata.indices.get(name);
    if (old === undefined || isSameAliases(old, metadata)) continue;
    const { aliasesVersion, version } = old;
    const versions = { aliasesVersion: aliasesVersion + 1, version: version + 1 };
    next = withIndex(next, { ...metadata, ...versions });
  }
  if (next === before) return unchanged;
  const named = actions.flatMap((action) => (action.kind === "add" ? [action.alias] : []));
  const error = aliasAgreementProblem(next.metadata.indices.values(), named);
  return error === undefined ? updated(next) : rejected(error);
}

function isSameAliases(a: IndexMetadata, b: IndexMetadata): boolean {
  if (a.aliases.size !== b.aliases.size) return false;
  return [...a.aliases].every(([alias, metadata]) => isSameAlias(metadata, b.aliases.get(alias)));
}

function isSameAlias(a: AliasMetadata, b: AliasMetadata | undefined): boolean {
  return (
    b !== undefined &&
    a.indexRouting === b.indexRouting &&
    a.searchRouting === b.searchRouting &&
    a.isWriteIndex === b.isWriteIndex &&
    a.isHidden === b.isHidden &&
    isSameJson(a.filter, b.filter)
  );
}

/** `aliases [a,b] missing`. */
export function aliasesMissing(aliases: readonly string[]): Problem {
  const [first] = aliases;
  return {
    type: "aliases_not_found_exception",
    reason: `aliases [${aliases.join(",")}] missing`,
    status: 404,
    metadata: {
      "resource.id": aliases.length === 1 && first !== undefined ? first : [...aliases],
      "resource.type": "aliases",
    },
  };
}
