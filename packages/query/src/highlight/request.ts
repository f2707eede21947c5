/** Parses the `highlight` section of a body. Options of a field default to the shared options. */
import {
  tokenOf,
  contentError,
  booleanOf,
  intOf,
  items,
  members,
  scalarText,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import type { Query } from "../language/query.ts";
import { isJsonObject } from "@orrery/stdx";

export interface HighlightOptions {
  readonly type: string;
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
  readonly fragmentSize: number;
  readonly numberOfFragments: number;
  readonly noMatchSize: number;
  readonly requireFieldMatch: boolean;
  readonly order: "none" | "score";
  readonly encoder: "default" | "html";
  readonly query: Query | undefined;
  readonly boundaryScanner: string | undefined;
  /** Matches that end after this offset are ignored. */
  readonly maxAnalyzerOffset: number | undefined;
}

export interface HighlightRequest {
  /** Names or patterns with their options. */
  readonly fields: readonly (readonly [pattern: string, options: HighlightOptions])[];
}

const DEFAULTS: HighlightOptions = {
  type: "unified",
  preTags: ["<em>"],
  postTags: ["</em>"],
  fragmentSize: 100,
  numberOfFragments: 5,
  noMatchSize: 0,
  requireFieldMatch: true,
  order: "none",
  encoder: "default",
  query: undefined,
  boundaryScanner: undefined,
  maxAnalyzerOffset: undefined,
};

/** The options of a field, for the error on unknown ones. */
const OPTIONS = [
  "pre_tags",
  "post_tags",
  "order",
  "highlight_filter",
  "fragment_size",
  "number_of_fragments",
  "require_field_match",
  "boundary_scanner",
  "boundary_max_scan",
  "boundary_chars",
  "boundary_scanner_locale",
  "type",
  "fragmenter",
  "no_match_size",
  "force_source",
  "phrase_limit",
  "max_analyzer_offset",
  "options",
  "highlight_query",
  "matched_fields",
  "fragment_offset",
];
/** The options of the section. */
const ROOT_OPTIONS = [...OPTIONS, "tags_schema", "encoder", "use_explicit_field_order", "fields"];

/**
 * Parses `highlight`.
 * @throws BodyError or OperationError 400
 */
export function parseHighlight(at: Cursor): HighlightRequest {
  let shared = DEFAULTS;
  let fieldsAt: Cursor | undefined;
  for (const [name, member] of members(at)) {
    if (!ROOT_OPTIONS.includes(name)) throw unknownField(member, "highlight", ROOT_OPTIONS);
    if (name === "fields") fieldsAt = member;
    else shared = withOption(shared, name, member);
  }
  const fields = fieldsAt === undefined ? [] : items(fieldsAt).flatMap((item) => members(item));
  return {
    fields: fields.map(
      ([name, member]) => [name, parseField(member, fieldsAt as Cursor, shared)] as const,
    ),
  };
}

function parseField(at: Cursor, fieldsAt: Cursor, shared: HighlightOptions): HighlightOptions {
  let options = shared;
  wrapField(fieldsAt, "highlight", () =>
    wrapField(at, "fields", () => {
      for (const [name, member] of members(at)) {
        if (!OPTIONS.includes(name)) throw unknownField(member, "highlight_field", OPTIONS);
        options = withOption(options, name, member);
      }
    }),
  );
  return options;
}

/** Returns the options with one changed; known options without effect change nothing. */
function withOption(options: HighlightOptions, name: string, at: Cursor): HighlightOptions {
  const texts = (): string[] => items(at).map(scalarText);
  switch (name) {
    case "type":
      return { ...options, type: scalarText(at) };
    case "pre_tags":
      return { ...options, preTags: texts() };
    case "post_tags":
      return { ...options, postTags: texts() };
    case "tags_schema":
      return scalarText(at) === "styled"
        ? {
            ...options,
            preTags: Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`),
            postTags: ["</em>"],
          }
        : options;
    case "fragment_size":
      return { ...options, fragmentSize: intOf(at) };
    case "number_of_fragments":
      return { ...options, numberOfFragments: intOf(at) };
    case "no_match_size":
      return { ...options, noMatchSize: intOf(at) };
    case "require_field_match":
      return { ...options, requireFieldMatch: booleanOf(at) };
    case "order":
      return { ...options, order: scalarText(at) === "score" ? "score" : "none" };
    case "encoder":
      return { ...options, encoder: scalarText(at) === "html" ? "html" : "default" };
    case "boundary_scanner":
      return { ...options, boundaryScanner: scalarText(at) };
    case "max_analyzer_offset":
      return { ...options, maxAnalyzerOffset: wrapField(at, "highlight", () => offsetOf(at)) };
    case "highlight_query":
      return isJsonObject(at.json) ? { ...options, query: parseQuery(at) } : options;
    default:
      return options;
  }
}

function offsetOf(at: Cursor): number {
  if (at.json !== null && typeof at.json !== "object" && typeof at.json !== "boolean")
    return intOf(at);
  throw contentError(
    at,
    `[highlight] max_analyzer_offset doesn't support values of type: ${tokenOf(at.json)}`,
  );
}
