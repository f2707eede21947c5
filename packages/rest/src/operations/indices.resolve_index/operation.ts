/** `indices.resolve_index`: what names and patterns stand for: indices, aliases, data streams. */
import {
  indicesOptions,
  withParameters,
  type ClusterState,
  type IndexMetadata,
} from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { isPattern, simpleMatch } from "../../indices/patterns.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets, splitList } from "../../parameters.ts";

export const indicesResolveIndex: Operation = defineOperation({
  group: "indices.resolve_index",
  routes: ["GET /_resolve/index/{name}"],
  query: { expand_wildcards: indexTargets.expand_wildcards },
  deviations: [],

  handle({ path, query }, cluster) {
    const state = cluster.state();
    const options = withParameters(indicesOptions.strictExpandOpen, query);
    const names = splitList(path["name"] ?? "");
    const isShown = (index: IndexMetadata): boolean => {
      const isHidden = index.settings["index.hidden"] === "true";
      if (index.state === "open" ? !options.expandOpen : !options.expandClosed) return false;
      return options.expandHidden || !isHidden;
    };
    const indices = [...state.metadata.indices.values()]
      .filter((index) => isNamed(names, index.name, isShown(index)))
      .toSorted((a, b) => compareText(a.name, b.name));
    const body = {
      indices: indices.map(indexJson),
      aliases: aliasesOf(state, names),
      data_streams: [],
    };
    return { body };
  },
});

/** A name itself finds whatever there is; a pattern only what may be shown. */
function isNamed(names: readonly string[], name: string, isShown: boolean): boolean {
  return names.some((given) =>
    isPattern(given) || given === "_all"
      ? isShown && (given === "_all" || simpleMatch(given, name))
      : given === name,
  );
}

function indexJson(index: IndexMetadata): PrintableObject {
  const aliases = [...index.aliases.keys()].toSorted(compareText);
  const attributes = [index.state === "open" ? "open" : "closed"];
  if (index.settings["index.hidden"] === "true") attributes.push("hidden");
  return {
    name: index.name,
    aliases: aliases.length === 0 ? undefined : aliases,
    attributes: attributes.toSorted(compareText),
  };
}

function aliasesOf(state: ClusterState, names: readonly string[]): readonly PrintableObject[] {
  const found = new Map<string, string[]>();
  for (const index of state.metadata.indices.values()) {
    for (const [alias, metadata] of index.aliases) {
      if (!isNamed(names, alias, metadata.isHidden !== true)) continue;
      found.set(alias, [...(found.get(alias) ?? []), index.name]);
    }
  }
  return [...found]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, indices]) => ({ name, indices: indices.toSorted(compareText) }));
}
