/** Data streams (`DataStream`): a name over hidden backing indices, of which the last receives new documents. */
import { compareText, type Json, type Problem } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import type { ClusterState } from "./types.ts";

/** A data stream, as the product stores it. */
export interface DataStream {
  readonly name: string;
  readonly timestamp_field: { readonly name: string };
  /** Oldest first; never empty. */
  readonly indices: readonly { readonly index_name: string; readonly index_uuid: string }[];
  /** Number of the newest backing index ever created; only grows. */
  readonly generation: number;
}

/** Name of the custom section of data streams. */
export const dataStreamSection = "data_stream";

const none: ReadonlyMap<string, DataStream> = new Map();
const read = new WeakMap<object, ReadonlyMap<string, DataStream>>();

/** Data streams by name, in order of names; the same map for the same section. */
export function dataStreamsOf(state: ClusterState): ReadonlyMap<string, DataStream> {
  const list = customOf(state, dataStreamSection);
  if (!Array.isArray(list)) return none;
  const known = read.get(list);
  if (known !== undefined) return known;
  const streams = list as unknown as readonly DataStream[];
  const map = new Map(streams.map((stream) => [stream.name, stream]));
  read.set(list, map);
  return map;
}

/** Name of a backing index: `.ds-<stream>-<generation>`, the generation with six digits at least. */
export function backingIndexName(stream: string, generation: number): string {
  return `.ds-${stream}-${String(generation).padStart(6, "0")}`;
}

/** The stream with this backing index; undefined when the index belongs to no stream. */
export function dataStreamOf(state: ClusterState, index: string): DataStream | undefined {
  for (const stream of dataStreamsOf(state).values()) {
    if (stream.indices.some(({ index_name: name }) => name === index)) return stream;
  }
  return undefined;
}

function withDataStreams(
  state: ClusterState,
  streams: ReadonlyMap<string, DataStream>,
): ClusterState {
  const list = [...streams.values()].toSorted((a, b) => compareText(a.name, b.name));
  return withCustom(state, dataStreamSection, list as unknown as Json);
}

/** The state with the stream added or replaced. */
export function withDataStream(state: ClusterState, stream: DataStream): ClusterState {
  return withDataStreams(state, new Map(dataStreamsOf(state)).set(stream.name, stream));
}

/** The state without the named streams; their backing indices stay. */
export function withoutDataStreams(state: ClusterState, names: readonly string[]): ClusterState {
  const left = [...dataStreamsOf(state)].filter(([name]) => !names.includes(name));
  return withDataStreams(state, new Map(left));
}

/** Name of the write index: the last backing index. */
export function writeIndexOf(stream: DataStream): string {
  return stream.indices.at(-1)?.index_name ?? "";
}

/** The problem of an alias that has the name of a data stream; undefined when no stream has this name. */
export function streamAliasProblem(
  state: ClusterState,
  index: { readonly name: string; readonly uuid: string },
  alias: string,
): Problem | undefined {
  if (!dataStreamsOf(state).has(alias)) return undefined;
  const holder = `alias of [${index.name}/${index.uuid}]`;
  return duplicateNames([`${alias} (${holder}) conflicts with data stream`]);
}

/**
 * The problem of an index whose name, or one of whose aliases, is that of a data stream or of a backing index that a
 * stream may create later; undefined when there is none.
 */
export function streamNameProblem(
  state: ClusterState,
  index: { readonly name: string; readonly uuid: string },
  aliases: readonly string[] = [],
): Problem | undefined {
  const streams = dataStreamsOf(state);
  if (streams.size === 0) return undefined;
  if (streams.has(index.name)) {
    return duplicateNames([`data stream [${index.name}] conflicts with index`]);
  }
  for (const name of [index.name, ...aliases]) {
    for (const stream of streams.values()) {
      const generation = generationIn(stream.name, name);
      if (generation !== undefined && generation > stream.generation) {
        return futureNames(stream.name, [name]);
      }
    }
  }
  return undefined;
}

/**
 * The problem of a new data stream whose name, or that of a later backing index, an index or alias has; undefined when
 * there is none.
 */
export function newStreamProblem(state: ClusterState, name: string): Problem | undefined {
  const duplicate = takenStreamName(state, name);
  if (duplicate !== undefined) return duplicate;
  const taken = [...state.metadata.indices.values()].flatMap((index) =>
    [index.name, ...index.aliases.keys()].filter((one) => (generationIn(name, one) ?? 0) > 1),
  );
  return taken.length === 0 ? undefined : futureNames(name, taken.toSorted(compareText));
}

/** The problem of a data stream name that an index or an alias has already; undefined when neither has it. */
export function takenStreamName(state: ClusterState, name: string): Problem | undefined {
  const { indices } = state.metadata;
  const holders = [...indices.values()].filter(({ aliases }) => aliases.has(name));
  if (holders.length > 0) {
    const names = holders.map((index) => `[${index.name}/${index.uuid}]`).join(", ");
    return duplicateNames([`${name} (alias of ${names}) conflicts with data stream`]);
  }
  if (!indices.has(name)) return undefined;
  return duplicateNames([`data stream [${name}] conflicts with index`]);
}

/** The generation in the name of a backing index of the stream; undefined for other names. */
function generationIn(stream: string, name: string): number | undefined {
  const prefix = `.ds-${stream}-`;
  if (!name.startsWith(prefix)) return undefined;
  const rest = name.slice(prefix.length);
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

function duplicateNames(duplicates: readonly string[]): Problem {
  return illegalState(
    `index, alias, and data stream names need to be unique, but the following duplicates were found [${duplicates.join(",")}]`,
  );
}

function futureNames(stream: string, names: readonly string[]): Problem {
  return illegalState(
    `data stream [${stream}] could create backing indices that conflict with ${names.length} existing index(s) or alias(s) including '${names[0]}'`,
  );
}

function illegalState(reason: string): Problem {
  return { type: "illegal_state_exception", reason, status: 500 };
}
