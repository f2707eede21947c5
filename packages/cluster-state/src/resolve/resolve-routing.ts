/** Filters and routing values that aliases add to a request (`IndexNameExpressionResolver.filteringAliases`, `resolveSearchRouting`, `Metadata.resolveWriteIndexRouting`). */
import { illegalArgument, type JsonObject } from "@orrery/stdx";
import type { AliasMetadata, ClusterState, IndexMetadata } from "../types.ts";
import { expandExpressions, isAll } from "./expand.ts";
import { resolveDateMath } from "./date-math.ts";
import { lookupOf } from "./lookup.ts";
import { indicesOptions } from "./options.ts";

/** The filter by which a request sees an index, and the aliases it comes from. */
export interface AliasFilter {
  readonly aliases: readonly string[];
  readonly filter: JsonObject;
}

/**
 * The combined filter of the aliases through which the expressions reach the index; undefined if any expression reaches
 * the index without a filter.
 */
export function aliasFilter(
  state: ClusterState,
  index: string,
  expressions: readonly string[],
  nowMs: number,
): AliasFilter | undefined {
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined || metadata.aliases.size === 0) return undefined;
  const names = namesOf(state, expressions, nowMs);
  if (isAll(names) || names.includes(index)) return undefined;
  const lookup = lookupOf(state);
  const isStream = (name: string): boolean =>
    lookup.get(name)?.kind === "data-stream" &&
    lookup.get(name)?.indices.includes(metadata) === true;
  if (names.some(isStream)) return undefined;
  const aliases: string[] = [];
  const filters: JsonObject[] = [];
  for (const name of names) {
    const alias = metadata.aliases.get(name);
    if (alias === undefined) continue;
    if (alias.filter === undefined) return undefined;
    aliases.push(name);
    filters.push(alias.filter);
  }
  const [first] = filters;
  if (first === undefined) return undefined;
  return { aliases, filter: filters.length === 1 ? first : { bool: { should: filters } } };
}

/** Names of indices and aliases; a wildcard that matches an alias gives the alias. */
function namesOf(
  state: ClusterState,
  expressions: readonly string[],
  nowMs: number,
): readonly string[] {
  if (isAll(expressions)) return ["_all"];
  const options = { ...indicesOptions.lenientExpandOpen, preserveAliases: true };
  return expandExpressions(state, expressions, options, nowMs);
}

/**
 * Routing values of a search by index: those of the request, those of the aliases that lead to the index, or the values
 * that are in both. All shards are searched of an index without an entry, and of every index if the result is undefined.
 */
export function resolveSearchRouting(
  state: ClusterState,
  routing: string | undefined,
  expressions: readonly string[],
  nowMs: number,
): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  const requested = routing === undefined ? undefined : valuesOf(routing);
  if (isAll(expressions)) return everywhere(state, requested);
  const routings = new Map<string, Set<string>>();
  const unrouted = new Set<string>();
  const reachWithoutAlias = (index: string): void => {
    if (unrouted.has(index)) return;
    unrouted.add(index);
    if (requested === undefined) routings.delete(index);
    else routings.set(index, new Set(requested));
  };
  for (const name of namesOf(state, expressions, nowMs)) {
    const entry = lookupOf(state).get(name);
    if (entry?.kind !== "alias") {
      if (entry?.kind === "data-stream")
        entry.indices.forEach((one) => reachWithoutAlias(one.name));
      else reachWithoutAlias(name);
      continue;
    }
    for (const metadata of entry.indices) {
      const values = metadata.aliases.get(name)?.searchRouting;
      if (values === undefined) reachWithoutAlias(metadata.name);
      else if (!unrouted.has(metadata.name)) {
        addRouting(routings, metadata.name, valuesOf(values), requested);
      }
    }
  }
  return routings.size === 0 ? undefined : routings;
}

function addRouting(
  routings: Map<string, Set<string>>,
  index: string,
  values: readonly string[],
  requested: readonly string[] | undefined,
): void {
  const all = [...(routings.get(index) ?? []), ...values];
  const kept = requested === undefined ? all : all.filter((value) => requested.includes(value));
  if (kept.length === 0) routings.delete(index);
  else routings.set(index, new Set(kept));
}

function everywhere(
  state: ClusterState,
  requested: readonly string[] | undefined,
): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  if (requested === undefined) return undefined;
  return new Map([...state.metadata.indices.keys()].map((name) => [name, new Set(requested)]));
}

function valuesOf(routing: string): readonly string[] {
  return routing.split(",").filter((value) => value !== "");
}

/**
 * Routing value of a write: the alias's, else the request's. Throws when both exist and differ, or when the alias has
 * several values or no write index.
 */
export function resolveWriteRouting(
  state: ClusterState,
  expression: string,
  routing: string | undefined,
  nowMs: number,
): string | undefined {
  const name = resolveDateMath(expression, nowMs);
  const entry = lookupOf(state).get(name);
  if (entry?.kind !== "alias") return routing;
  const { writeIndex } = entry;
  if (writeIndex === undefined) {
    throw illegalArgument(`alias [${name}] does not have a write index`);
  }
  return routingThrough(name, aliasOf(writeIndex, name), routing);
}

/**
 * Routing value of a read of one document: the alias's, else the request's. Throws when both exist and differ, or when
 * the alias has several values or several indices.
 */
export function resolveReadRouting(
  state: ClusterState,
  expression: string,
  routing: string | undefined,
  nowMs: number,
): string | undefined {
  const name = resolveDateMath(expression, nowMs);
  const entry = lookupOf(state).get(name);
  const [only] = entry?.indices ?? [];
  if (entry?.kind !== "alias" || only === undefined) return routing;
  if (entry.indices.length > 1) {
    const names = entry.indices.map((index) => index.name).join(", ");
    throw illegalArgument(
      `alias [${name}] has more than one index associated with it [${names}], can't execute a single index op`,
    );
  }
  return routingThrough(name, aliasOf(only, name), routing);
}

function aliasOf(metadata: IndexMetadata, alias: string): AliasMetadata {
  return metadata.aliases.get(alias) ?? {};
}

function routingThrough(
  alias: string,
  { indexRouting }: AliasMetadata,
  routing: string | undefined,
): string | undefined {
  if (indexRouting === undefined) return routing;
  if (indexRouting.includes(",")) {
    throw illegalArgument(
      `index/alias [${alias}] provided with routing value [${indexRouting}] that resolved to several routing values, rejecting operation`,
    );
  }
  if (routing !== undefined && routing !== indexRouting) {
    throw illegalArgument(
      `Alias [${alias}] has index routing associated with it [${indexRouting}], and was provided with routing value [${routing}], rejecting operation`,
    );
  }
  return indexRouting;
}
