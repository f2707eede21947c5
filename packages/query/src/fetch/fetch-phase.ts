/** The fetch phase on one shard: documents to hits, each printed whole, in the product's order of members. */
import { concatBytes, utf8Decode, utf8Encode, type Json, type JsonObject } from "@orrery/stdx";
import { float, jsonText } from "../json/json-text.ts";
import { readJson } from "../json/parse-json.ts";
import type {
  FetchedHit,
  FetchResult,
  Printable,
  SearchOptions,
  ShardView,
  TopDoc,
} from "../types.ts";
import {
  docValueFields,
  fieldRequests,
  sourceFields,
  type FieldRequest,
} from "./doc-value-fields.ts";
import { filterSource, sourceFilterOf, type SourceOption } from "./source-filter.ts";
import { storedFieldValues } from "./stored-fields.ts";

interface FetchPlan {
  readonly source: SourceOption;
  readonly storedFields: readonly string[];
  readonly docValues: readonly FieldRequest[];
  readonly fields: readonly FieldRequest[];
  readonly showsVersion: boolean;
  readonly showsSeqNo: boolean;
  readonly showsMetadata: boolean;
}

/** `docs` are of this view; hits come in their order. */
export function executeFetchPhase(
  view: ShardView,
  docs: readonly TopDoc[],
  body: JsonObject,
  options: SearchOptions,
): FetchResult {
  const plan = planOf(body);
  return {
    hits: docs.map((doc) => {
      options.checkCancelled?.();
      return fetchHit(view, doc, plan);
    }),
  };
}

function planOf(body: JsonObject): FetchPlan {
  const stored = body["stored_fields"];
  const names = (Array.isArray(stored) ? stored : stored === undefined ? [] : [stored]).map(String);
  const hidesAll = names.includes("_none_");
  // Naming stored fields hides the source, unless it is asked for.
  const isSourceImplied = stored === undefined || names.includes("_source");
  const source =
    body["_source"] === undefined && !isSourceImplied
      ? ({ kind: "none" } as const)
      : sourceFilterOf(body["_source"]);
  return {
    source: hidesAll ? { kind: "none" } : source,
    storedFields: names.filter((name) => name !== "_none_" && name !== "_source"),
    docValues: fieldRequests(body["docvalue_fields"]),
    fields: fieldRequests(body["fields"]),
    showsVersion: isOn(body["version"]),
    showsSeqNo: isOn(body["seq_no_primary_term"]),
    showsMetadata: !hidesAll,
  };
}

function isOn(value: Json | undefined): boolean {
  return value === true || value === "true";
}

function fetchHit(view: ShardView, top: TopDoc, plan: FetchPlan): FetchedHit {
  const segment = view.segments[top.segment];
  if (segment === undefined) throw new RangeError(`no segment ${top.segment}`);
  const { reader } = segment;
  const { doc } = top;
  const stored = reader.stored(doc);
  const before: { [key: string]: Printable } = { _index: view.index };
  if (plan.showsMetadata) before["_id"] = stored.id;
  if (plan.showsVersion) before["_version"] = stored.version;
  if (plan.showsSeqNo) {
    before["_seq_no"] = stored.seqNo;
    before["_primary_term"] = stored.primaryTerm;
  }
  before["_score"] = Number.isNaN(top.score) ? null : float(top.score);
  if (plan.showsMetadata && stored.routing !== undefined) before["_routing"] = stored.routing;
  const after: { [key: string]: Printable } = {};
  const fields = {
    ...storedFieldValues(view.mapping, stored.source, plan.storedFields),
    ...docValueFields(view.mapping, segment, doc, plan.docValues),
    ...(plan.fields.length === 0 ? {} : fromSource(view, stored.source, plan.fields)),
  };
  if (Object.keys(fields).length > 0) after["fields"] = fields;
  const sort = top.sortText ?? top.sort;
  if (sort !== undefined) after["sort"] = sort.map(printSort);
  return {
    id: stored.id,
    json: join(jsonText(before), sourceOf(stored.source, plan.source), jsonText(after)),
  };
}

/** Scores among sort values print as floats; the sort itself says which they are, by their text. */
function printSort(value: Printable): Printable {
  if (typeof value === "number" && !Number.isInteger(value) && Number.isFinite(value))
    return float(value);
  return value;
}

function fromSource(
  view: ShardView,
  source: Uint8Array | undefined,
  requests: readonly FieldRequest[],
) {
  if (source === undefined) return {};
  const text = utf8Decode(source);
  return sourceFields(view.mapping, readJson(text, utf8Encode(text)), requests);
}

function sourceOf(source: Uint8Array | undefined, option: SourceOption): Uint8Array | undefined {
  if (source === undefined || option.kind === "none") return undefined;
  return option.kind === "all" ? source : filterSource(source, option);
}

/** `{before…,"_source":…,after…}`: the source goes in as bytes, it is never parsed. */
function join(before: string, source: Uint8Array | undefined, after: string): Uint8Array {
  const head = before.slice(0, -1);
  const tail = after === "{}" ? "}" : `,${after.slice(1)}`;
  if (source === undefined) return utf8Encode(head + tail);
  return concatBytes([utf8Encode(`${head},"_source":`), source, utf8Encode(tail)]);
}
