/** Expansion of index expressions to names: date math, wildcards, exclusions (`DateMathExpressionResolver`, `WildcardExpressionResolver`). */
import { fail, illegalArgument, matchesGlob, OperationError, type Problem } from "@orrery/stdx";
import { invalidIndexName } from "../index-names.ts";
import { indexSetting } from "../settings/registry.ts";
import type { ClusterState, IndexMetadata } from "../types.ts";
import { indexNotFound } from "../updates.ts";
import { resolveDateMath } from "./date-math.ts";
import { lookupOf, type Abstraction, type Lookup } from "./lookup.ts";
import type { IndicesOptions } from "./options.ts";

/** Options of the expansion. */
export interface ExpandOptions extends IndicesOptions {
  /** Whether a wildcard that matches an alias gives the alias instead of its indices. */
  readonly preserveAliases?: boolean;
}

/** Names with wildcards expanded. A plain name without an index or alias may be among them, for the caller to judge. */
export function expandExpressions(
  state: ClusterState,
  expressions: readonly string[],
  options: ExpandOptions,
  nowMs: number,
): readonly string[] {
  const plain = expressions.map((expression) => resolveDateMath(expression, nowMs));
  if (!options.expandOpen && !options.expandClosed) return plain;
  const lookup = lookupOf(state);
  if (isAll(plain)) return [...new Set(everyIndex(lookup, options))];
  const names = expandEach(lookup, plain, options);
  if (names.length === 0 && !options.allowNoIndices) fail(nothingFound("index_or_alias", plain));
  return names;
}

/** Whether the expressions mean every index: none, `_all` or `*`. */
export function isAll(expressions: readonly string[]): boolean {
  const [only] = expressions;
  return (
    expressions.length === 0 || (expressions.length === 1 && (only === "_all" || only === "*"))
  );
}

function everyIndex(lookup: Lookup, options: IndicesOptions): readonly string[] {
  return [...lookup.values()]
    .filter((entry) => entry.kind !== "alias" && !isExcluded(entry, options))
    .filter((entry) => options.expandHidden || !isHidden(entry))
    .flatMap(({ indices }) => indices)
    .filter((metadata) => isWanted(metadata, options))
    .map(({ name }) => name);
}

/** Whether the abstraction is a data stream and the options exclude data streams. */
export function isExcluded(entry: Abstraction, options: IndicesOptions): boolean {
  return entry.kind === "data-stream" && options.includeDataStreams === false;
}

function expandEach(
  lookup: Lookup,
  expressions: readonly string[],
  options: ExpandOptions,
): readonly string[] {
  const names = new Set<string>();
  let isWildcardSeen = false;
  for (const expression of expressions) {
    if (expression === "") throw new OperationError(indexNotFound(expression));
    if (expression.startsWith("_")) {
      throw new OperationError(invalidIndexName(expression, "must not start with '_'."));
    }
    if (exists(lookup, expression, options)) {
      names.add(expression);
      continue;
    }
    const isExclusion: boolean = expression.startsWith("-") && isWildcardSeen;
    const name: string = isExclusion ? expression.slice(1) : expression;
    const isPattern: boolean = name.includes("*");
    const matched = isPattern
      ? expandPattern(lookup, name, options)
      : [checked(lookup, name, options)];
    for (const one of matched) {
      if (isExclusion) names.delete(one);
      else names.add(one);
    }
    isWildcardSeen ||= isPattern;
  }
  return [...names];
}

function exists(lookup: Lookup, name: string, options: IndicesOptions): boolean {
  const entry = lookup.get(name);
  if (entry === undefined || isExcluded(entry, options)) return false;
  return !(entry.kind === "alias" && options.ignoreAliases);
}

function checked(lookup: Lookup, name: string, options: IndicesOptions): string {
  if (options.ignoreUnavailable) return name;
  const entry = lookup.get(name);
  if (entry === undefined || isExcluded(entry, options)) {
    throw new OperationError(indexNotFound(name));
  }
  if (entry.kind === "alias" && options.ignoreAliases) throw aliasNotSupported(name);
  return name;
}

function expandPattern(lookup: Lookup, pattern: string, options: ExpandOptions): readonly string[] {
  const matches = [...lookup.values()].filter(
    (entry) =>
      matchesGlob(pattern, entry.name) &&
      !(entry.kind === "alias" && options.ignoreAliases) &&
      !isExcluded(entry, options),
  );
  if (matches.length === 0 && !options.allowNoIndices) {
    throw new OperationError(indexNotFound(pattern));
  }
  const visible = matches.filter(
    (entry) => options.expandHidden || !isHidden(entry) || isDotMatch(pattern, entry.name),
  );
  return visible.flatMap((entry) =>
    options.preserveAliases === true && entry.kind === "alias"
      ? [entry.name]
      : entry.indices
          .filter((metadata) => isWanted(metadata, options))
          .map((metadata) => metadata.name),
  );
}

function isWanted(metadata: IndexMetadata, options: IndicesOptions): boolean {
  return metadata.state === "open" ? options.expandOpen : options.expandClosed;
}

/** Whether a pattern with a leading dot, such as `.foo*`, matches a name with one, which makes hidden entries visible. */
function isDotMatch(pattern: string, name: string): boolean {
  return pattern.startsWith(".") && name.startsWith(".");
}

function isHidden(entry: Abstraction): boolean {
  if (entry.kind === "index") return indexSetting(entry.indices[0], "index.hidden");
  if (entry.kind === "data-stream") return false;
  return entry.indices.some(({ aliases }) => aliases.get(entry.name)?.isHidden === true);
}

/** The problem of an alias in an expression that only concrete indices may match. */
export function aliasNotSupported(expression: string): OperationError {
  return illegalArgument(
    `The provided expression [${expression}] matches an alias, specify the corresponding concrete indices instead.`,
  );
}

/**
 * The `index_not_found_exception` for expressions that together match no index. By default its reason is `no such index
 * [null]`, as in the product.
 */
export function nothingFound(
  resourceType: string,
  expressions: readonly string[],
  reason = "no such index [null]",
): Problem {
  const [first] = expressions;
  const id = expressions.length === 1 && first !== undefined ? first : [...expressions];
  return {
    type: "index_not_found_exception",
    reason,
    status: 404,
    metadata: { "resource.id": id, "resource.type": resourceType },
  };
}
