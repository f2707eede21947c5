/** Data streams: a name over hidden backing indices, the last of which takes new documents. Source: `DataStream`. */
import { customOf } from "./customs.ts";
import type { ClusterState } from "./types.ts";

export interface DataStream {
  readonly name: string;
  readonly timestamp_field: { readonly name: string };
  /** Oldest first; never empty. */
  readonly indices: readonly { readonly index_name: string; readonly index_uuid: string }[];
  /** Of the newest backing index ever made; only grows. */
  readonly generation: number;
}

export const dataStreamSection = "data_stream";

const none: ReadonlyMap<string, DataStream> = new Map();
const read = new WeakMap<object, ReadonlyMap<string, DataStream>>();

/** In order of names. */
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

export function backingIndexName(stream: string, generation: number): string {
  return `.ds-${stream}-${String(generation).padStart(6, "0")}`;
}

/** The stream that the index belongs to. */
export function dataStreamOf(state: ClusterState, index: string): DataStream | undefined {
  for (const stream of dataStreamsOf(state).values()) {
    if (stream.indices.some(({ index_name: name }) => name === index)) return stream;
  }
  return undefined;
}

/** Where new documents go. */
export function writeIndexOf(stream: DataStream): string {
  return stream.indices.at(-1)?.index_name ?? "";
}
