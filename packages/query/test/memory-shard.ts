/** A shard in memory for tests: documents in, segments and searches out. */
import type { ReducedSearch } from "../src/reduce/reduced-search.ts";
import { coreSegmentParts, createSegmentWriter, openSegment, type LiveDocs } from "@orrery/segment";
import { utf8Encode, type Json, type JsonObject } from "@orrery/stdx";
import {
  coreLanguage,
  createMapping,
  extendMapping,
  createReducer,
  decodeFetchResult,
  decodeQueryResult,
  encodeFetchResult,
  encodeQueryResult,
  executeFetchPhase,
  executeQueryPhase,
  hitMembers,
  jsonText,
  mergeMapping,
  type IndexSettings,
  type SegmentView,
  type ShardView,
} from "../src/index.ts";

export interface MemoryDocument {
  readonly id: string;
  readonly source: string;
}

export interface MemoryShard {
  readonly view: ShardView;
  readonly mapping: JsonObject;
}

export interface ShardInput {
  readonly mapping: JsonObject;
  readonly documents: readonly MemoryDocument[];
  readonly settings?: IndexSettings;
  /** Documents per segment; default: all in one. */
  readonly perSegment?: number;
  /** Ids deleted after the segments were made. */
  readonly deleted?: ReadonlySet<string>;
  readonly index?: string;
  readonly shard?: number;
}

export function memoryShard(input: ShardInput): MemoryShard {
  const settings = input.settings ?? {};
  let mapping = createMapping(
    coreLanguage,
    mergeMapping({}, input.mapping, { language: coreLanguage, settings, reason: "create" }),
    settings,
  );
  const segments: SegmentView[] = [];
  const { documents, perSegment = Number.MAX_SAFE_INTEGER } = input;
  for (let start = 0; start < documents.length; start += perSegment) {
    const writer = createSegmentWriter(coreSegmentParts);
    for (const [i, { id, source }] of documents.slice(start, start + perSegment).entries()) {
      const bytes = utf8Encode(source);
      let parsed = mapping.parseDocument(id, bytes, undefined);
      if (parsed.mappingUpdate !== undefined) {
        mapping = extendMapping(mapping, parsed.mappingUpdate);
        parsed = mapping.parseDocument(id, bytes, undefined);
      }
      const doc = writer.add({
        kind: "index",
        id,
        seqNo: start + i,
        primaryTerm: 1,
        version: 1,
        source: parsed.source,
        fields: parsed.fields,
        children: parsed.children,
      });
      if (input.deleted?.has(id) === true) writer.delete(doc);
    }
    const image = writer.flush(`_${segments.length}`);
    segments.push({
      reader: openSegment(image.files, coreSegmentParts),
      live: image.liveDocs as LiveDocs | undefined,
    });
  }
  const view: ShardView = {
    index: input.index ?? "test",
    indexUuid: "uuid",
    shard: input.shard ?? 0,
    nodeId: "node",
    settings,
    mapping,
    segments,
  };
  return { view, mapping: mapping.json };
}

export interface SearchAnswer {
  readonly total: { readonly value: number; readonly relation: string } | undefined;
  readonly maxScore: number;
  readonly hits: readonly Readonly<Record<string, Json>>[];
  readonly aggregations: JsonObject | undefined;
}

/** Query, reduce and fetch, over one shard or several, through the wire's codecs. */
export function search(
  shards: MemoryShard | readonly MemoryShard[],
  body: JsonObject,
  nowMs = 0,
): SearchAnswer {
  const list = Array.isArray(shards) ? (shards as readonly MemoryShard[]) : [shards as MemoryShard];
  const reducer = createReducer(coreLanguage, body);
  for (const [i, { view }] of list.entries()) {
    const result = executeQueryPhase(view, body, { nowMs, totalShards: list.length });
    reducer.add(i, decodeQueryResult(encodeQueryResult(result)));
  }
  const reduced = reducer.finish(() => false).next().value as ReducedSearch;
  const hits = reduced.docs.map((doc) => {
    const { view } = list[doc.shard] as MemoryShard;
    const fetched = executeFetchPhase(view, [doc], body, { nowMs });
    const [hit] = decodeFetchResult(encodeFetchResult(fetched)).hits;
    return JSON.parse(jsonText(hit && hitMembers(hit))) as Record<string, Json>;
  });
  const { aggregations } = reduced;
  return {
    total: reduced.totalHits,
    maxScore: reduced.maxScore,
    hits,
    aggregations:
      aggregations &&
      (JSON.parse(jsonText(aggregations.render({ typedKeys: false }))) as JsonObject),
  };
}

export function ids(answer: SearchAnswer): string[] {
  return answer.hits.map((hit) => String(hit["_id"]));
}
