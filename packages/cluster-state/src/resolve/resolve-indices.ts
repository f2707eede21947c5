/**
 * Resolution of index expressions to concrete indices (`IndexNameExpressionResolver`): names, aliases, wildcards,
 * exclusions, date math. Throws `OperationError` in the product's words.
 */
import { fail, illegalArgument, type IndexUuid, type Problem } from "@orrery/stdx";
import type { ClusterState, IndexMetadata } from "../types.ts";
import { indexNotFound } from "../updates.ts";
import { aliasNotSupported, expandExpressions, isExcluded, nothingFound } from "./expand.ts";
import { lookupOf, type Abstraction } from "./lookup.ts";
import { indicesOptions, type IndicesOptions } from "./options.ts";

/** A concrete index. */
export interface ResolvedIndex {
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly metadata: IndexMetadata;
}

/**
 * The indices that expressions match, each once: in the order of the expressions, and by name within a wildcard. An
 * empty list of expressions stands for all indices.
 */
export function resolveIndices(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  nowMs: number,
): readonly ResolvedIndex[] {
  return resolveWith(state, expressions, options, nowMs, (entry, expression) =>
    indicesOf(entry, expression, options),
  );
}

type Choose = (entry: Abstraction, expression: string) => readonly IndexMetadata[];

function resolveWith(
  state: ClusterState,
  expressions: readonly string[],
  options: IndicesOptions,
  nowMs: number,
  choose: Choose,
): readonly ResolvedIndex[] {
  const requested = expressions.length === 0 ? ["_all"] : expressions;
  const mustExist = requested.length === 1 ? !options.allowNoIndices : !options.ignoreUnavailable;
  const names = expandExpressions(state, requested, options, nowMs);
  if (names.length === 0 && !options.allowNoIndices) fail(emptyProblem(requested));
  const lookup = lookupOf(state);
  const found = new Map<string, ResolvedIndex>();
  let hasExcluded = false;
  for (const name of names) {
    const entry = lookup.get(name);
    if (entry !== undefined && isExcluded(entry, options)) {
      hasExcluded = true;
      continue;
    }
    if (entry === undefined) {
      if (mustExist) fail(missingProblem(name));
      continue;
    }
    if (entry.kind === "alias" && options.ignoreAliases) {
      if (mustExist) throw aliasNotSupported(name);
      continue;
    }
    for (const metadata of choose(entry, name)) {
      if (isUsable(metadata, options)) found.set(metadata.name, resolved(metadata));
    }
  }
  if (found.size === 0 && !options.allowNoIndices) {
    const problem = nothingFound("index_expression", requested);
    // The marker tells the REST layer that a data stream of the name exists, which the operation does not support.
    fail(
      hasExcluded
        ? { ...problem, metadata: { ...problem.metadata, excluded_ds: "true" } }
        : problem,
    );
  }
  return [...found.values()];
}

function emptyProblem(requested: readonly string[]): Problem {
  const isEverything = requested.length === 1 && requested[0] === "_all";
  const reason = isEverything ? "no indices exist" : undefined;
  return nothingFound("index_expression", requested, reason);
}

function missingProblem(name: string): Problem {
  const problem = indexNotFound(name, "index_expression");
  return name === "_all" ? { ...problem, reason: "no indices exist" } : problem;
}

function indicesOf(
  entry: Abstraction,
  expression: string,
  options: IndicesOptions,
): readonly IndexMetadata[] {
  if (entry.indices.length > 1 && !options.allowAliasesToMultipleIndices) {
    const names = entry.indices.map(({ name }) => name).join(", ");
    throw illegalArgument(
      `alias [${expression}] has more than one index associated with it [${names}], can't execute a single index op`,
    );
  }
  return entry.indices;
}

function isUsable(metadata: IndexMetadata, options: IndicesOptions): boolean {
  if (metadata.state === "open" || !options.forbidClosedIndices) return true;
  if (!options.ignoreUnavailable) fail(indexClosed(metadata));
  return false;
}

/** The `index_closed_exception` of a closed index. */
export function indexClosed({ name, uuid }: IndexMetadata): Problem {
  return {
    type: "index_closed_exception",
    reason: "closed",
    status: 400,
    metadata: { index: name, index_uuid: uuid },
  };
}

function resolved(metadata: IndexMetadata): ResolvedIndex {
  return { name: metadata.name, uuid: metadata.uuid, metadata };
}

/**
 * The index behind a name or an alias of one index, for reads of a single document. Throws for none or several, and
 * with the default options for a closed one.
 */
export function resolveSingleIndex(
  state: ClusterState,
  expression: string,
  nowMs: number,
  options: IndicesOptions = indicesOptions.strictSingleIndexNoExpandForbidClosed,
): ResolvedIndex {
  const [only, another] = resolveIndices(state, [expression], options, nowMs);
  if (only !== undefined && another === undefined) return only;
  throw illegalArgument(
    "unable to return a single index as the index and options provided got resolved to multiple indices",
  );
}

/**
 * The index that receives writes through the name: the index itself, or the write index of an alias or data stream.
 * Throws when there is none, or it is closed.
 */
export function resolveWriteIndex(
  state: ClusterState,
  expression: string,
  nowMs: number,
): ResolvedIndex {
  const options = {
    ...indicesOptions.strictSingleIndexNoExpandForbidClosed,
    includeDataStreams: true,
  };
  const [only] = resolveWith(state, [expression], options, nowMs, writeIndexOf);
  if (only !== undefined) return only;
  throw illegalArgument(
    `The index expression [${expression}] and options provided did not point to a single write-index`,
  );
}

function writeIndexOf(entry: Abstraction, expression: string): readonly IndexMetadata[] {
  if (entry.kind === "index") return entry.indices;
  if (entry.writeIndex !== undefined) return [entry.writeIndex];
  throw illegalArgument(
    `no write index is defined for alias [${expression}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
  );
}
