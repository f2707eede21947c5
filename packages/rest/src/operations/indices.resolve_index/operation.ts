/** `indices.resolve_index`: the indices, aliases and data streams that expressions resolve to. */
import {
  dataStreamOf,
  dataStreamsOf,
  indicesOptions,
  withParameters,
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
} from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import {
  javaText,
  compareText,
  isGlob,
  matchesGlob,
  OperationError,
  type Json,
} from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets, splitList } from "../../parameters.ts";

export const indicesResolveIndex: Operation = defineOperation({
  group: "indices.resolve_index",
  permission: "indices:admin/resolve/index",
  routes: ["GET /_resolve/index/{name}"],
  query: { expand_wildcards: indexTargets.expand_wildcards },
  deviations: [],

  async handle({ path, query }, cluster) {
    const options = withParameters(indicesOptions.strictExpandOpen, query);
    const { local, remote } = byCluster(cluster, splitList(path["name"] ?? ""));
    const found = [resolve(cluster.state(), local, options)];
    for (const [alias, names] of remote)
      found.push(await resolveAt(cluster, alias, names, options));
    const body = {
      indices: found.flatMap(({ indices }) => indices),
      aliases: found.flatMap(({ aliases }) => aliases),
      data_streams: found.flatMap(({ data_streams: streams }) => streams),
    };
    return { body };
  },
});

interface Resolved {
  readonly indices: readonly PrintableObject[];
  readonly aliases: readonly PrintableObject[];
  readonly data_streams: readonly PrintableObject[];
}

/**
 * Groups expressions by cluster. `alias:name` is remote only if `alias`, possibly a pattern, matches a configured
 * remote cluster.
 */
function byCluster(
  { remotes }: Cluster,
  names: readonly string[],
): { readonly local: readonly string[]; readonly remote: ReadonlyMap<string, readonly string[]> } {
  const known = remotes.info().map(({ alias }) => alias);
  const local: string[] = [];
  const remote = new Map<string, string[]>();
  for (const name of names) {
    const colon = name.indexOf(":");
    const cluster = name.slice(0, Math.max(0, colon));
    const meant = colon < 0 ? [] : known.filter((alias) => matchesGlob(cluster, alias));
    if (meant.length === 0) local.push(name);
    for (const alias of meant)
      remote.set(alias, [...(remote.get(alias) ?? []), name.slice(colon + 1)]);
  }
  return { local, remote };
}

/** A remote cluster that cannot be reached contributes nothing. */
async function resolveAt(
  { remotes }: Cluster,
  alias: string,
  names: readonly string[],
  options: IndicesOptions,
): Promise<Resolved> {
  try {
    const {
      indices,
      aliases,
      data_streams: streams,
    } = resolve(await remotes.state(alias, names), names, options);
    const named = (one: PrintableObject) => ({
      ...one,
      name: `${alias}:${javaText(one["name"] as Json)}`,
    });
    return {
      indices: indices.map(named),
      aliases: aliases.map(named),
      data_streams: streams.map(named),
    };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { indices: [], aliases: [], data_streams: [] };
  }
}

function resolve(state: ClusterState, names: readonly string[], options: IndicesOptions): Resolved {
  const isShown = (index: IndexMetadata): boolean => {
    const isHidden = index.settings["index.hidden"] === "true";
    if (index.state === "open" ? !options.expandOpen : !options.expandClosed) return false;
    return options.expandHidden || !isHidden;
  };
  const indices = [...state.metadata.indices.values()]
    .filter((index) => isNamed(names, index.name, isShown(index)))
    .toSorted((a, b) => compareText(a.name, b.name));
  return {
    indices: indices.map((index) => indexJson(state, index)),
    aliases: aliasesOf(state, names),
    data_streams: streamsOf(state, names),
  };
}

/** Whether an object is in the result: a literal name finds any object, a pattern only visible ones. */
function isNamed(names: readonly string[], name: string, isShown: boolean): boolean {
  return names.some((given) =>
    isGlob(given) || given === "_all"
      ? isShown && (given === "_all" || matchesGlob(given, name))
      : given === name,
  );
}

function indexJson(state: ClusterState, index: IndexMetadata): PrintableObject {
  const aliases = [...index.aliases.keys()].toSorted(compareText);
  const attributes = [index.state === "open" ? "open" : "closed"];
  if (index.settings["index.hidden"] === "true") attributes.push("hidden");
  return {
    name: index.name,
    aliases: aliases.length === 0 ? undefined : aliases,
    attributes: attributes.toSorted(compareText),
    data_stream: dataStreamOf(state, index.name)?.name,
  };
}

function streamsOf(state: ClusterState, names: readonly string[]): readonly PrintableObject[] {
  return [...dataStreamsOf(state).values()]
    .filter(({ name }) => isNamed(names, name, true))
    .map(({ name, indices, timestamp_field: field }) => ({
      name,
      backing_indices: indices.map(({ index_name: index }) => index).toSorted(compareText),
      timestamp_field: field.name,
    }));
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
