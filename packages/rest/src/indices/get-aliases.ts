/** Aliases by index and name, and the error for missing ones. Source: `RestGetAliasesAction`. */
import { indicesOptions, type IndexMetadata } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { compareText, isGlob, matchesGlob } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";
import type { Answer } from "../operation.ts";
import {
  flag,
  indexTargets,
  managerTimeout,
  splitNames,
  type IndexTargets,
  type ManagerTimeout,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../state-reading.ts";
import { aliasJson } from "./alias-metadata.ts";
import { passBlocks } from "./blocks.ts";

/** Parameters of operations that read aliases. */
export interface GetAliasParameters extends IndexTargets, ManagerTimeout, Parameters {
  readonly local: Parameter<boolean>;
}

export const getAliasParameters: GetAliasParameters = {
  ...indexTargets,
  ...managerTimeout,
  local: flag(false),
};

/** The response: 404 with the found aliases when a named alias is missing. */
export async function aliasesAnswer(
  path: Readonly<Record<string, string | undefined>>,
  query: Parsed<GetAliasParameters>,
  cluster: Cluster,
): Promise<Answer> {
  const state = await readState(cluster, query);
  const targets = targetsOf(
    state,
    expressionsOf(path["index"]),
    { ...indicesOptions.strictExpandHidden, includeDataStreams: false },
    {
      query,
      nowMs: cluster.clock.nowMs(),
    },
  );
  passBlocks(
    state,
    "metadata_read",
    targets.map(({ name }) => name),
  );
  const names =
    path["name"] === undefined ? undefined : splitNames(path["name"]).filter((name) => name !== "");
  const found = targets.map(({ name, metadata }) => ({
    name,
    metadata,
    aliases: selectAliases(metadata, names ?? []),
  }));
  const shown = names === undefined ? found : found.filter(({ aliases }) => aliases.length > 0);
  const entries = shown.map(({ name, metadata, aliases }) => [
    name,
    { aliases: listed(metadata, aliases) },
  ]);
  const missing =
    names === undefined
      ? []
      : missingNames(names, new Set(found.flatMap(({ aliases }) => aliases)));
  if (missing.length === 0) return { body: Object.fromEntries(entries) };
  const what = missing.length === 1 ? "alias" : "aliases";
  const error = `${what} [${missing.join(",")}] missing`;
  return { status: 404, body: { error, status: 404, ...Object.fromEntries(entries) } };
}

function listed(index: IndexMetadata, names: readonly string[]): PrintableObject {
  return Object.fromEntries(names.map((name) => [name, aliasJson(index.aliases.get(name) ?? {})]));
}

/**
 * Selects aliases of an index, ordered by name; without patterns, all. Patterns apply in order; one with a leading `-`
 * removes aliases that earlier patterns selected.
 */
export function selectAliases(index: IndexMetadata, names: readonly string[]): readonly string[] {
  const all = [...index.aliases.keys()].toSorted(compareText);
  if (names.length === 0) return all;
  return all.filter((alias) => {
    let isSelected = false;
    for (const name of names) {
      const isExclusion = name.startsWith("-");
      const pattern = isExclusion ? name.slice(1) : name;
      if (pattern === "_all" || matchesGlob(pattern, alias)) isSelected = !isExclusion;
    }
    return isSelected;
  });
}

function missingNames(names: readonly string[], found: ReadonlySet<string>): readonly string[] {
  const wildcardAt = names.findIndex((name) => isGlob(name));
  const firstWildcard = wildcardAt < 0 ? names.length : wildcardAt;
  const missing = names.filter((name, i) => {
    if (name === "_all" || isGlob(name) || (i > firstWildcard && name.startsWith("-")))
      return false;
    const isExcluded = names
      .slice(Math.max(i + 1, firstWildcard))
      .some(
        (other) =>
          other.startsWith("-") && (other === "-_all" || matchesGlob(other.slice(1), name)),
      );
    return !isExcluded && !found.has(name);
  });
  return [...new Set(missing)].toSorted(compareText);
}
