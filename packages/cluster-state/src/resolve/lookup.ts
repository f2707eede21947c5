/** Names to indices and aliases, built once for each map of indices. */
import { compareText } from "@orrery/stdx";
import type { ClusterState, IndexMetadata } from "../types.ts";

export type Abstraction =
  | { readonly kind: "index"; readonly name: string; readonly indices: readonly [IndexMetadata] }
  | {
      readonly kind: "alias";
      readonly name: string;
      readonly indices: readonly IndexMetadata[];
      readonly writeIndex: IndexMetadata | undefined;
    };

/** In order of names. */
export type Lookup = ReadonlyMap<string, Abstraction>;

const built = new WeakMap<ClusterState["metadata"]["indices"], Lookup>();

export function lookupOf(state: ClusterState): Lookup {
  const { indices } = state.metadata;
  const known = built.get(indices);
  if (known !== undefined) return known;
  const lookup = build(indices);
  built.set(indices, lookup);
  return lookup;
}

function build(indices: ClusterState["metadata"]["indices"]): Lookup {
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
  entries.sort((a, b) => compareText(a.name, b.name));
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** The one marked as such, or the only one unless it is marked as not being it. */
function writeIndexOf(alias: string, held: readonly IndexMetadata[]): IndexMetadata | undefined {
  const marked = held.find(({ aliases }) => aliases.get(alias)?.isWriteIndex === true);
  const [only] = held;
  if (marked !== undefined || held.length !== 1 || only === undefined) return marked;
  return only.aliases.get(alias)?.isWriteIndex === false ? undefined : only;
}
