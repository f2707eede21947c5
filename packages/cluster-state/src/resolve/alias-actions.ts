/** Resolution of alias requests with expressions to actions on concrete indices (`TransportIndicesAliasesAction`). */
import { fail, matchesGlob } from "@orrery/stdx";
import { aliasesMissing, type AliasAction } from "../tasks/update-aliases.ts";
import type { AliasMetadata, ClusterState } from "../types.ts";
import { indicesOptions, type IndicesOptions } from "./options.ts";
import { resolveIndices } from "./resolve-indices.ts";

/** One action of `_aliases`, with its expressions. */
export interface AliasRequest {
  readonly kind: "add" | "remove" | "remove-index";
  readonly indices: readonly string[];
  readonly aliases: readonly string[];
  readonly metadata?: AliasMetadata;
  readonly mustExist?: boolean;
}

const concreteOnly: IndicesOptions = {
  ...indicesOptions.strictExpand,
  allowNoIndices: false,
  expandHidden: true,
  ignoreAliases: true,
};

/**
 * The actions, in order of the requests. Throws for an unresolvable index expression, and `aliases_not_found_exception`
 * when requests resolve to no action at all, or one with `mustExist` to none.
 */
export function resolveAliasActions(
  state: ClusterState,
  requests: readonly AliasRequest[],
  nowMs: number,
): readonly AliasAction[] {
  const actions = requests.flatMap((request) => actionsOf(state, request, nowMs));
  if (actions.length === 0 && requests.length > 0) {
    fail(aliasesMissing([...new Set(requests.flatMap(({ aliases }) => aliases))]));
  }
  return actions;
}

function actionsOf(
  state: ClusterState,
  request: AliasRequest,
  nowMs: number,
): readonly AliasAction[] {
  const options =
    request.kind === "remove-index" ? concreteOnly : indicesOptions.strictExpandHidden;
  const indices = resolveIndices(state, request.indices, options, nowMs).map(({ name }) => name);
  switch (request.kind) {
    case "remove-index":
      return indices.map((index) => ({ kind: "remove-index", index }));
    case "add":
      return indices.flatMap((index) =>
        request.aliases.map((alias): AliasAction => ({
          kind: "add",
          index,
          alias,
          metadata: request.metadata ?? {},
        })),
      );
    case "remove":
      return indices.flatMap((index) => removals(state, request, index));
  }
}

function removals(
  state: ClusterState,
  { aliases: expressions, mustExist }: AliasRequest,
  index: string,
): readonly AliasAction[] {
  const held = [...(state.metadata.indices.get(index)?.aliases.keys() ?? [])];
  const found = held.filter((alias) =>
    expressions.some((expression) => expression === "_all" || matchesGlob(expression, alias)),
  );
  const missing = expressions.filter((expression) => !held.includes(expression));
  if (mustExist === true && found.length === 0) fail(aliasesMissing(missing));
  return found.map((alias) => ({ kind: "remove", index, alias }));
}
