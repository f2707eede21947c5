/** Adds and removes aliases of concrete indices, atomically (`MetadataIndexAliasesService`). */
import type { Problem } from "@orrery/stdx";
import { aliasAgreementProblem, aliasProblem } from "../aliases.ts";
import { withTombstone } from "../graveyard.ts";
import { isSameJson } from "../same-json.ts";
import type { AliasMetadata, ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex } from "../updates.ts";
import { withoutBackingIndex, withoutIndex, writeIndexProblem } from "./delete-index.ts";

/** An action on one concrete index. */
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

/**
 * Applies alias actions. Indices to be removed go first, then actions in their order; rules between indices are checked
 * on the resulting state.
 */
export function updateAliases(state: ClusterState, task: UpdateAliases): Outcome {
  const removed = task.actions.filter((action) => action.kind === "remove-index");
  let next = state;
  for (const { index } of removed) {
    const metadata = next.metadata.indices.get(index);
    if (metadata === undefined) return rejected(indexNotFound(index));
    const problem = writeIndexProblem(next, index);
    if (problem !== undefined) return rejected(problem);
    const deleted = { index, uuid: metadata.uuid, nowMs: task.nowMs };
    next = withoutBackingIndex(withTombstone(withoutIndex(next, index), deleted), index);
  }
  const touched = new Map<string, Touched>();
  for (const action of task.actions) {
    if (action.kind === "remove-index") continue;
    const index = touched.get(action.index) ?? touch(next, action.index);
    if (index === undefined) return rejected(indexNotFound(action.index));
    const problem = changeOne(next, index, action);
    if (problem !== undefined) return rejected(problem);
    touched.set(action.index, index);
  }
  return finish(state, next, touched, task.actions);
}

/** An index that some action names, with its aliases after the actions so far; a copy that is mutated in place. */
interface Touched {
  readonly metadata: IndexMetadata;
  readonly aliases: Map<string, AliasMetadata>;
}

function touch(state: ClusterState, index: string): Touched | undefined {
  const metadata = state.metadata.indices.get(index);
  return metadata === undefined ? undefined : { metadata, aliases: new Map(metadata.aliases) };
}

function changeOne(
  state: ClusterState,
  { metadata, aliases }: Touched,
  action: Exclude<AliasAction, { kind: "remove-index" }>,
): Problem | undefined {
  if (action.kind === "remove") {
    const wasThere = aliases.delete(action.alias);
    return wasThere || action.mustExist !== true ? undefined : aliasesMissing([action.alias]);
  }
  const problem = aliasProblem(state, metadata, action.alias, action.metadata);
  if (problem === undefined) aliases.set(action.alias, action.metadata);
  return problem;
}

function finish(
  before: ClusterState,
  state: ClusterState,
  touched: ReadonlyMap<string, Touched>,
  actions: readonly AliasAction[],
): Outcome {
  let next = state;
  for (const { metadata: old, aliases } of touched.values()) {
    if (isSameAliases(old.aliases, aliases)) continue;
    const { aliasesVersion, version } = old;
    const versions = { aliasesVersion: aliasesVersion + 1, version: version + 1 };
    next = withIndex(next, { ...old, aliases, ...versions });
  }
  if (next === before) return unchanged;
  const named = actions.flatMap((action) => (action.kind === "add" ? [action.alias] : []));
  const error = aliasAgreementProblem(next.metadata.indices.values(), named);
  return error === undefined ? updated(next) : rejected(error);
}

type Aliases = ReadonlyMap<string, AliasMetadata>;

function isSameAliases(a: Aliases, b: Aliases): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([alias, metadata]) => isSameAlias(metadata, b.get(alias)));
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

/** `aliases_not_found_exception`: `aliases [a,b] missing`. */
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
