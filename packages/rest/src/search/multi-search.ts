/** Body of a multi-search: alternating header and body lines. Source: `MultiSearchRequest.readMultiLineFormat`. */
import {
  javaText,
  illegalArgument,
  isJsonObject,
  utf8Decode,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import type { SearchLanguage } from "@orrery/query";
import { contentOf } from "../content.ts";
import { indexTargets, splitList } from "../parameters.ts";
import { readSearchBody } from "./body.ts";
import { parseSearchType, type SearchType } from "./parameters.ts";

/** Header and body of one search; an absent header member is `undefined`. */
export interface MultiSearchEntry {
  readonly index: string | undefined;
  readonly searchType: SearchType | undefined;
  readonly preference: string | undefined;
  readonly routing: string | undefined;
  readonly allowPartialResults: boolean | undefined;
  readonly cancelAfter: string | undefined;
  readonly expandWildcards: readonly string[] | undefined;
  readonly ignoreUnavailable: boolean | undefined;
  readonly allowNoIndices: boolean | undefined;
  readonly body: JsonObject;
}

/** Context of reading a multi-search. */
export interface MultiSearchReading {
  /** Index of searches whose header names none. */
  readonly defaultIndex: string | undefined;
  readonly isTurnOver: () => boolean;
}

const NEWLINE = 10;

/** Reads all searches. Yields between two of them when `isTurnOver` returns true, since their number is unbounded. */
export function* readMultiSearch(
  language: SearchLanguage,
  bytes: Uint8Array,
  { defaultIndex, isTurnOver }: MultiSearchReading,
): Generator<undefined, MultiSearchEntry[]> {
  const entries: MultiSearchEntry[] = [];
  let from = 0;
  for (;;) {
    if (isTurnOver()) yield;
    const headerEnd = nextLine(bytes, from);
    if (headerEnd < 0) return entries;
    const header = utf8Decode(bytes.subarray(from, headerEnd)).trim();
    const isFirst = from === 0;
    from = headerEnd + 1;
    // An empty first line is skipped; a later empty line is an empty header.
    if (header === "" && isFirst) continue;
    const bodyEnd = nextLine(bytes, from);
    if (bodyEnd < 0) return entries;
    const body = readSearchBody(language, contentOf(bytes.subarray(from, bodyEnd), "json"));
    from = bodyEnd + 1;
    entries.push({ ...headerOf(header, defaultIndex), body });
  }
}

function nextLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  if (end >= 0 || from === bytes.length) return end;
  throw illegalArgument("The msearch request must be terminated by a newline [\n]");
}

type Header = Omit<MultiSearchEntry, "body">;

const PASSED_OVER = new Set([
  "ccs_minimize_roundtrips",
  "ccsMinimizeRoundtrips",
  "request_cache",
  "requestCache",
  "ignore_throttled",
  "ignoreThrottled",
  "phase_took",
]);

function headerOf(line: string, defaultIndex: string | undefined): Header {
  const json = line === "" ? {} : contentOf(utf8Encode(line), "json").json();
  if (!isJsonObject(json))
    throw illegalArgument("key [null] is not supported in the metadata section");
  const header: { -readonly [Key in keyof Header]: Header[Key] } = {
    index: defaultIndex,
    searchType: undefined,
    preference: undefined,
    routing: undefined,
    allowPartialResults: undefined,
    cancelAfter: undefined,
    expandWildcards: undefined,
    ignoreUnavailable: undefined,
    allowNoIndices: undefined,
  };
  for (const [key, value] of Object.entries(json)) {
    if (value === undefined || PASSED_OVER.has(key)) continue;
    if (!setHeader(header, key, value)) {
      throw illegalArgument(`key [${key}] is not supported in the metadata section`);
    }
  }
  return header;
}

function setHeader(
  header: { -readonly [Key in keyof Header]: Header[Key] },
  key: string,
  value: Json,
): boolean {
  switch (key) {
    case "index":
    case "indices":
      header.index = Array.isArray(value) ? value.map(javaText).join(",") : javaText(value);
      return true;
    case "search_type":
    case "searchType":
      header.searchType = parseSearchType(javaText(value));
      return true;
    case "preference":
      header.preference = javaText(value);
      return true;
    case "routing":
      header.routing = javaText(value);
      return true;
    case "allow_partial_search_results":
      header.allowPartialResults = value === true || value === "true";
      return true;
    case "cancel_after_time_interval":
    case "cancelAfterTimeInterval":
      header.cancelAfter = javaText(value);
      return true;
    case "expand_wildcards":
    case "expandWildcards":
      header.expandWildcards = indexTargets.expand_wildcards.parse(
        Array.isArray(value) ? value.map(javaText).join(",") : splitList(javaText(value)).join(","),
        key,
      );
      return true;
    case "ignore_unavailable":
    case "ignoreUnavailable":
      header.ignoreUnavailable = value === true || value === "true";
      return true;
    case "allow_no_indices":
    case "allowNoIndices":
      header.allowNoIndices = value === true || value === "true";
      return true;
    default:
      return false;
  }
}
