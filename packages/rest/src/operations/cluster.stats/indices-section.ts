/**
 * Statistics of all indices of the cluster: shards, documents, sizes, use of mappings and analysis. Source:
 * `ClusterStatsIndices`.
 */
import type { ClusterState, IndexMetadata } from "@orrery/cluster-state";
import type { NodeStatsFacts } from "@orrery/node";
import {
  compareText,
  greatest,
  isJsonObject,
  least,
  lookup,
  setKey,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { javaDouble, type Printable, type PrintableObject } from "../../json/printable.ts";
import type { SectionName } from "../../stats/sections.ts";
import { sumSections } from "../../stats/sum.ts";

/** Metrics of the section `indices`, in the order of the product's output. */
export const indexStatsMetrics = [
  "shards",
  "docs",
  "store",
  "fielddata",
  "query_cache",
  "completion",
  "segments",
  "mappings",
  "analysis",
] as const;

/** A metric of the section `indices`. */
export type IndexStatsMetric = (typeof indexStatsMetrics)[number];

type Copies = NodeStatsFacts["shards"];

/**
 * The section `indices` of `_cluster/stats`. Statistics are summed over those of the given copies that are started,
 * `docs` over the primaries among them; `mappings` and `analysis` describe all indices of the state.
 */
export function indicesSection(
  state: ClusterState,
  copies: Copies,
  wanted: ReadonlySet<IndexStatsMetric>,
): PrintableObject {
  const started = copies.filter((copy) => copy.state === "STARTED" || copy.state === "RELOCATING");
  const primaries = started.filter(({ primary }) => primary);
  const all = sumSections(
    started.map(({ stats }) => stats),
    sectionsIn(wanted),
  );
  const docs = sumSections(
    primaries.map(({ stats }) => stats),
    new Set<SectionName>(["docs"]),
  );
  const indices = [...state.metadata.indices.values()];
  return {
    count: new Set(started.map(({ index }) => index)).size,
    shards: wanted.has("shards") ? shardsSection(started) : undefined,
    docs: wanted.has("docs") ? docs.docs : undefined,
    store: all.store,
    fielddata: all.fielddata,
    query_cache: all.query_cache,
    completion: all.completion,
    segments: all.segments,
    mappings: wanted.has("mappings") ? { field_types: fieldTypes(indices) } : undefined,
    analysis: wanted.has("analysis") ? analysisSection(indices) : undefined,
  };
}

function sectionsIn(wanted: ReadonlySet<IndexStatsMetric>): ReadonlySet<SectionName> {
  const names: readonly SectionName[] = [
    "store",
    "fielddata",
    "query_cache",
    "completion",
    "segments",
  ];
  return new Set(names.filter((name) => wanted.has(name as IndexStatsMetric)));
}

function shardsSection(copies: Copies): PrintableObject {
  if (copies.length === 0) return {};
  const byIndex = [...new Set(copies.map(({ index }) => index))].map((name) => {
    const own = copies.filter(({ index }) => index === name);
    const primaries = own.filter(({ primary }) => primary).length;
    return {
      shards: own.length,
      primaries,
      replication: primaries === 0 ? 0 : (own.length - primaries) / primaries,
    };
  });
  const primaries = copies.filter(({ primary }) => primary).length;
  return {
    total: copies.length,
    primaries,
    replication: javaDouble(primaries === 0 ? 0 : (copies.length - primaries) / primaries),
    index: {
      shards: spread(
        byIndex.map(({ shards }) => shards),
        (value) => value,
      ),
      primaries: spread(
        byIndex.map((one) => one.primaries),
        (value) => value,
      ),
      replication: spread(
        byIndex.map(({ replication }) => replication),
        javaDouble,
      ),
    },
  };
}

function spread(values: readonly number[], print: (value: number) => Printable): PrintableObject {
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    min: print(least(values)),
    max: print(greatest(values)),
    avg: javaDouble(sum / values.length),
  };
}

/** Number of uses, and the indices that have them. */
type Tally = Map<string, { count: number; readonly indices: Set<string> }>;

function count(tally: Tally, name: string, index: string): void {
  const entry = tally.get(name) ?? { count: 0, indices: new Set<string>() };
  tally.set(name, entry);
  entry.count += 1;
  entry.indices.add(index);
}

function listed(tally: Tally): Printable {
  return [...tally]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, entry]) => ({ name, count: entry.count, index_count: entry.indices.size }));
}

function fieldTypes(indices: readonly IndexMetadata[]): Printable {
  const tally: Tally = new Map();
  for (const { name, mapping } of indices) {
    visitFields(mapping, (field) => {
      const type = field["type"];
      count(tally, typeof type === "string" ? type : "object", name);
    });
  }
  return listed(tally);
}

function visitFields(mapping: JsonObject, visit: (field: JsonObject) => void): void {
  for (const part of ["properties", "fields"]) {
    const children = lookup(mapping, part);
    if (!isJsonObject(children)) continue;
    for (const field of Object.values(children)) {
      if (!isJsonObject(field)) continue;
      visit(field);
      visitFields(field, visit);
    }
  }
}

const PARTS = ["char_filter", "tokenizer", "filter", "analyzer"] as const;

function analysisSection(indices: readonly IndexMetadata[]): PrintableObject {
  const types = new Map<string, Tally>(PARTS.map((part) => [part, new Map()]));
  const builtIn = new Map<string, Tally>(PARTS.map((part) => [part, new Map()]));
  for (const index of indices) {
    const defined = new Map<string, Set<string>>(PARTS.map((part) => [part, new Set()]));
    for (const [key, value] of Object.entries(index.settings)) {
      const match = /^index\.analysis\.(char_filter|tokenizer|filter|analyzer)\.([^.]+)\./.exec(
        key,
      );
      if (match === null) continue;
      const [, part = "", name = ""] = match;
      defined.get(part)?.add(name);
      if (key.endsWith(".type") && typeof value === "string")
        count(types.get(part) ?? new Map(), value, index.name);
    }
    countUsed(index, { defined, builtIn });
  }
  const out: Record<string, Printable> = {};
  for (const part of PARTS) setKey(out, `${part}_types`, listed(types.get(part) ?? new Map()));
  for (const part of PARTS)
    setKey(out, `built_in_${part}s`, listed(builtIn.get(part) ?? new Map()));
  return out;
}

/** Counts analysis parts that analyzers and fields name although the index does not define them, that is, built-in ones. */
function countUsed(
  index: IndexMetadata,
  {
    defined,
    builtIn,
  }: {
    readonly defined: ReadonlyMap<string, Set<string>>;
    readonly builtIn: ReadonlyMap<string, Tally>;
  },
): void {
  const use = (part: string, value: Json | readonly string[] | undefined): void => {
    for (const name of typeof value === "string"
      ? [value]
      : Array.isArray(value)
        ? value.map(String)
        : []) {
      const tally = builtIn.get(part);
      if (tally !== undefined && defined.get(part)?.has(name) !== true)
        count(tally, name, index.name);
    }
  };
  for (const [key, value] of Object.entries(index.settings)) {
    const part = /^index\.analysis\.analyzer\.[^.]+\.(char_filter|tokenizer|filter)$/.exec(
      key,
    )?.[1];
    if (part !== undefined) use(part, value);
  }
  visitFields(index.mapping, (field) => {
    for (const key of ["analyzer", "search_analyzer", "search_quote_analyzer"])
      use("analyzer", lookup(field, key));
  });
}
