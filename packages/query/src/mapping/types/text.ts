/**
 * `text` and `match_only_text`: analyzed strings with positions and lengths. Source:
 * `TextFieldMapper`, `MatchOnlyTextFieldMapper`.
 */
import type { IndexOptions } from "@orrery/segment";
import { javaText, lookup, OperationError, utf8Decode, utf8Encode, type Json } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "../../json/exact-json.ts";
import type {
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldType,
} from "../../language/field-type.ts";
import {
  analyzer,
  anything,
  decimal,
  flag,
  integer,
  meta,
  oneOf,
  text,
  textOf,
} from "../parameters.ts";

/** The field type `text`. */
export const textType: FieldType = {
  sortsAs: "text",
  printsFieldsFirst: true,
  parameters: {
    boost: decimal(1, true),
    index: flag(true),
    store: flag(false),
    meta,
    index_options: oneOf(["positions", "docs", "freqs", "offsets"], "positions"),
    term_vector: oneOf(
      [
        "no",
        "yes",
        "with_positions",
        "with_offsets",
        "with_positions_offsets",
        "with_positions_payloads",
        "with_positions_offsets_payloads",
      ],
      "no",
    ),
    norms: { ...flag(true, true), canChange: (from) => from === true },
    analyzer: analyzer(),
    search_analyzer: analyzer(true),
    search_quote_analyzer: analyzer(true),
    similarity: text(null),
    eager_global_ordinals: flag(false, true),
    position_increment_gap: integer(-1),
    fielddata: flag(false, true),
    fielddata_frequency_filter: anything({ min: 0, max: 2_147_483_647, min_segment_size: 0 }, true),
    index_prefixes: anything(null),
    index_phrases: flag(false),
  },
  compile: compileText,
  check: (name, parameters) => {
    const options = parameters["index_options"];
    const hasPositions =
      parameters["index"] !== false &&
      (options === undefined || options === "positions" || options === "offsets");
    if (parameters["position_increment_gap"] !== undefined && !hasPositions) {
      throw new OperationError({
        type: "illegal_argument_exception",
        reason: `Cannot set position_increment_gap on field [${name}] without positions enabled`,
        status: 400,
      });
    }
  },
};

/**
 * The field type `match_only_text`. Lengths are not indexed, and all hits have one score; positions
 * are indexed, for phrases.
 */
export const matchOnlyTextType: FieldType = {
  ...textType,
  compile: (input) => {
    const parameters = { ...input.parameters, norms: false };
    return { ...compileText({ ...input, parameters }), hasConstantTermScore: true };
  },
};

function compileText({ name, parameters, analysis }: CompileInput): CompiledType {
  const named = (key: string): string => javaText(lookup(parameters, key) ?? "default");
  const indexName = named("analyzer");
  const indexAnalyzer =
    indexName === "default" ? analysis.defaultAnalyzer : analysis.analyzer(indexName);
  const searchName = named("search_analyzer");
  const searchAnalyzer =
    searchName === "default"
      ? (analysis.searchAnalyzer ?? indexAnalyzer)
      : analysis.analyzer(searchName);
  const quoteName = named("search_quote_analyzer");
  const searchQuoteAnalyzer =
    quoteName === "default"
      ? (analysis.searchQuoteAnalyzer ?? searchAnalyzer)
      : analysis.analyzer(quoteName);
  const isIndexed = parameters["index"] === true;
  const gap = Number(parameters["position_increment_gap"] ?? -1);
  const spec = {
    name,
    type: "text",
    index: isIndexed ? (javaText(parameters["index_options"]) as IndexOptions) : "none",
    norms: isIndexed && parameters["norms"] === true,
    docValues: false,
    points: false,
    analyzer: indexAnalyzer,
    positionIncrementGap: gap >= 0 ? gap : indexAnalyzer.positionIncrementGap,
  } as const;
  return {
    spec,
    values: { kind: "terms", encode: (value) => utf8Encode(textOf(value)), decode: utf8Decode },
    index: isIndexed
      ? (value, sink) => {
          sink.add(spec, stringOf(value, sink));
        }
      : (value, sink) => {
          stringOf(value, sink);
        },
    analyzer: indexAnalyzer,
    searchAnalyzer,
    searchQuoteAnalyzer,
    present: (value) => presentText(value),
    text: "analyzed",
    isIndexed,
    hasDocValues: false,
  };
}

/**
 * A plain value as text, numbers as they were written.
 * @throws OperationError 500 for objects and arrays, as Jackson's `text()`
 */
export function stringOf(value: JsonTree, sink: DocumentSink): string {
  if (typeof value === "string") return value;
  if (value instanceof JsonLiteral) return value.text;
  if (typeof value === "number" || typeof value === "bigint") {
    sink.needLiterals();
    return javaText(value);
  }
  if (typeof value === "boolean") return value ? "true" : "false";
  const at = sink.location?.();
  const token = Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
  throw new OperationError({
    type: "illegal_state_exception",
    reason: `Can't get text on a ${token} at ${at?.line ?? 1}:${at?.col ?? 1}`,
    status: 500,
  });
}

/** A plain value as clients see it; `undefined` for others. */
export function presentText(value: JsonTree): Json | undefined {
  if (value instanceof JsonLiteral) return value.text;
  if (value === null || typeof value === "object") return undefined;
  return javaText(value);
}
