/** Lookup of indices, aliases and data streams by name (`Metadata.indicesLookup`), built once for each version of them. */
import { compareText } from "@orrery/stdx";
import { dataStreamsOf, writeIndexOf as newestIndexOf, type DataStream } from "../data-streams.ts";
import type { ClusterState, IndexMetadata } from "../types.ts";

/** An index, alias or data stream (`IndexAbstraction`). */
export type Abstraction =
  | { readonly kind: "index"; readonly name: string; readonly indices: readonly [IndexMetadata] }
  | {
      readonly kind: "alias";
      readonly name: string;
      readonly indices: readonly IndexMetadata[];
      readonly writeIndex: IndexMetadata | undefined;
    }
  | {
      readonly kind: "data-stream";
      readonly name: string;
      /** Oldest first. */
      readonly indices: readonly IndexMetadata[];
      readonly writeIndex: IndexMetadata | undefined;
    };

/** Abstractions by name, in order of names. */
export type Lookup = ReadonlyMap<string, Abstraction>;

type Streams = ReadonlyMap<string, DataStream>;

const built = new WeakMap<
  ClusterState["metadata"]["indices"],
  { readonly streams: Streams; readonly lookup: Lookup }
>();

/** The lookup of a state; the same one for states that share indices and streams. */
export function lookupOf(state: ClusterState): Lookup {
  const { indices } = state.metadata;
  const streams = dataStreamsOf(state);
  const known = built.get(indices);
  if (known?.streams === streams) return known.lookup;
  const lookup = build(indices, streams);
  built.set(indices, { streams, lookup });
  return lookup;
}

function build(indices: ClusterState["metadata"]["indices"], streams: Streams): Lookup {
  const entries: Abstraction[] = [];
  const holders = new Map<string, IndexMetadata[]>();
  for (const metadata of indices.values()) {
    entries.push({ kind: "index", name: metadata.name, indices: [metadata] });
    for (const alias of metadata.aliases.keys()) {
      const held = holders.get(alias) ?? [];
      held.push(metadata);
      holders.set(alias, held);
    }
  }
  for (const [name, held] of holders) {
    const sorted = held.toSorted((a, b) => compareText(a.name, b.name));
    entries.push({ kind: "alias", name, indices: sorted, writeIndex: writeIndexOf(name, sorted) });
  }
  for (const stream of streams.values()) {
    const backing = stream.indices.flatMap(({ index_name: name }) => indices.get(name) ?? []);
    const writeIndex = indices.get(newestIndexOf(stream));
    entries.push({ kind: "data-stream", name: stream.name, indices: backing, writeIndex });
  }
  entries.sort((a, b) => compareText(a.name, b.name));
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Write index of an alias: the index marked as such, else the only index unless it is marked with `false`. */
function writeIndexOf(alias: string, held: readonly IndexMetadata[]): IndexMetadata | undefined {
  const marked = held.find(({ aliases }) => aliases.get(alias)?.isWriteIndex === true);
  const [only] = held;
  if (marked !== undefined || held.length !== 1 || only === undefined) return marked;
  return only.aliases.get(alias)?.isWriteIndex === false ? undefined : only;
}
