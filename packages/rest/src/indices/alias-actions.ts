/** Resolves alias actions of a request into alias actions of the cluster state: index names resolved, patterns expanded. */
import {
  dataStreamOf,
  indicesOptions,
  resolveIndices,
  type AliasAction,
  type AliasMetadata,
  type ClusterState,
  type IndicesOptions,
  type ResolvedIndex,
} from "@orrery/cluster-state";
import { checkAliasFilter, type SearchLanguage } from "@orrery/query";
import { illegalArgument, isGlob, matchesGlob } from "@orrery/stdx";
import type { WantedAction } from "../operations/indices.update_aliases/actions.ts";
import { aliasesNotFound } from "./alias-metadata.ts";

const OPTIONS: IndicesOptions = {
  ...indicesOptions.strictExpandHidden,
  ignoreAliases: true,
  includeDataStreams: false,
  allowNoIndices: false,
};

/** Search language and time of the resolution. */
export interface ExpansionContext {
  /** Parses the filters of aliases. */
  readonly language: SearchLanguage;
  readonly nowMs: number;
}

/**
 * Resolves the actions. Throws for an unresolvable index expression, an alias on a backing index, an invalid filter,
 * and when none of the aliases to be removed exists.
 */
export function concreteActions(
  state: ClusterState,
  wanted: readonly WantedAction[],
  how: ExpansionContext,
): readonly AliasAction[] {
  const actions = wanted.flatMap((action) => expand(state, action, how));
  if (actions.length > 0) return actions;
  throw aliasesNotFound(wanted.flatMap(({ aliases }) => aliases));
}

function expand(
  state: ClusterState,
  action: WantedAction,
  { language, nowMs }: ExpansionContext,
): AliasAction[] {
  const targets = resolveIndices(state, action.indices, OPTIONS, nowMs);
  switch (action.kind) {
    case "remove_index":
      return targets.map(({ name }) => ({ kind: "remove-index", index: name }));
    case "add":
      refuseBackingIndices(state, targets);
      for (const alias of action.aliases) checkAliasFilter(language, alias, action.metadata.filter);
      return targets.flatMap(({ name }) =>
        action.aliases.map((alias): AliasAction => ({
          kind: "add",
          index: name,
          alias,
          metadata: action.metadata,
        })),
      );
    case "remove":
      return targets.flatMap(({ name, metadata }) =>
        removals(action, metadata.aliases).map((alias): AliasAction => ({
          kind: "remove",
          index: name,
          alias,
          ...(action.mustExist === undefined ? {} : { mustExist: action.mustExist }),
        })),
      );
  }
}

function refuseBackingIndices(state: ClusterState, targets: readonly ResolvedIndex[]): void {
  const backing = targets.filter(({ name }) => dataStreamOf(state, name) !== undefined);
  const [first] = backing;
  if (first === undefined) return;
  const names = backing.map(({ name }) => name).join(", ");
  const stream = dataStreamOf(state, first.name)?.name;
  throw illegalArgument(
    `The provided expressions [${names}] match a backing index belonging to data stream [${stream}]. Data streams and their backing indices don't support aliases.`,
  );
}

/**
 * Removals of one action. A pattern expands to existing aliases; when `must_exist` is given, a name is kept even if
 * it does not exist.
 */
function removals(
  action: WantedAction,
  held: ReadonlyMap<string, AliasMetadata>,
): readonly string[] {
  const named = action.aliases.filter((alias) => alias !== "_all" && !isGlob(alias));
  const found = new Set(
    named.length === action.aliases.length
      ? named.filter((alias) => held.has(alias))
      : [...held.keys()].filter((alias) => isWanted(action, alias)),
  );
  return action.mustExist === undefined ? [...found] : [...new Set([...found, ...named])];
}

function isWanted({ aliases }: WantedAction, alias: string): boolean {
  return aliases.some((pattern) => pattern === "_all" || matchesGlob(pattern, alias));
}
