/**
 * Source filtering: keeps the parts of a document that `includes` and `excludes` select. Source:
 * `XContentMapValues.filter`.
 *
 * Values are copied as text instead of parsed, so numbers stay as they were sent.
 */
import { isJsonObject, javaText, utf8Decode, utf8Encode, type Json } from "@orrery/stdx";
import { Budget } from "../work/budget.ts";
import { PathPatterns, SourcePaths } from "./source-paths.ts";

export interface SourceFilter {
  /** Paths, or patterns with `*`. An empty list selects everything. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** The parsed `_source` option. */
export type SourceOption =
  | { readonly kind: "none" }
  | { readonly kind: "all" }
  | ({ readonly kind: "filter" } & SourceFilter);

/**
 * Parses a `_source` option: a flag, a pattern, a list, or an object of includes and excludes. An
 * absent option selects everything.
 */
export function sourceFilterOf(json: Json | undefined): SourceOption {
  if (json === undefined || json === true || json === "true") return { kind: "all" };
  if (json === false || json === "false") return { kind: "none" };
  if (isJsonObject(json)) {
    const includes = listOf(json["includes"] ?? json["include"]);
    const excludes = listOf(json["excludes"] ?? json["exclude"]);
    return includes.length + excludes.length === 0
      ? { kind: "all" }
      : { kind: "filter", includes, excludes };
  }
  const includes = listOf(json);
  return includes.length === 0 ? { kind: "all" } : { kind: "filter", includes, excludes: [] };
}

function listOf(json: Json | undefined): string[] {
  if (json === undefined || json === null) return [];
  return Array.isArray(json) ? (json as readonly Json[]).map(javaText) : [javaText(json)];
}

/** Returns the source of one document with the selected parts only. */
export function filterSource(source: Uint8Array, filter: SourceFilter): Uint8Array {
  return sourceFilter(filter, new Budget())(source);
}

/** Returns a filter for many documents, whose patterns are prepared once. */
export function sourceFilter(
  { includes, excludes }: SourceFilter,
  budget: Budget,
): (source: Uint8Array) => Uint8Array {
  const paths = new SourcePaths(
    { includes: new PathPatterns(includes), excludes: new PathPatterns(excludes) },
    budget,
  );
  return (source) => {
    const run = { text: utf8Decode(source), at: 0, paths };
    skipBlanks(run);
    return utf8Encode(filterObject(run, "", includes.length === 0));
  };
}

/** The position in one document. */
interface FilterRun {
  readonly text: string;
  at: number;
  readonly paths: SourcePaths;
}

/**
 * Filters the object at `{` and moves past its `}`. With `isIncluded` an outer object matched, so
 * only excludes apply.
 */
function filterObject(run: FilterRun, path: string, isIncluded: boolean): string {
  const { text } = run;
  let kept = "";
  run.at += 1;
  for (;;) {
    skipBlanks(run);
    const char = text.charCodeAt(run.at);
    if (char === CLOSE_OBJECT || Number.isNaN(char)) break;
    if (char === COMMA) {
      run.at += 1;
      continue;
    }
    const keyStart = run.at;
    skipString(run);
    const rawKey = text.slice(keyStart, run.at);
    skipBlanks(run);
    run.at += 1;
    skipBlanks(run);
    const key = rawKey.includes("\\") ? (JSON.parse(rawKey) as string) : rawKey.slice(1, -1);
    const value = filterValue(run, path === "" ? key : `${path}.${key}`, isIncluded);
    if (value !== undefined) kept += `${kept === "" ? "" : ","}${rawKey}:${value}`;
  }
  run.at += 1;
  return `{${kept}}`;
}

/** Returns the kept part of a value; `undefined` if nothing is kept. */
function filterValue(run: FilterRun, path: string, isIncluded: boolean): string | undefined {
  const start = run.at;
  const skip = (): undefined => {
    skipValue(run);
    return undefined;
  };
  const found = run.paths.of(path);
  if (found.isExcluded) return skip();
  const included = isIncluded || found.isIncluded;
  if (included && !found.hasExcludesInside) {
    skipValue(run);
    return run.text.slice(start, run.at);
  }
  if (!included && !found.hasIncludesInside) return skip();
  return filterInside(run, path, included);
}

/** Filters the members or items of a value that patterns may partly select. */
function filterInside(run: FilterRun, path: string, included: boolean): string | undefined {
  const start = run.at;
  const open = run.text.charCodeAt(start);
  if (open === OPEN_OBJECT) {
    const object = filterObject(run, path, included);
    return object === "{}" && !included ? undefined : object;
  }
  if (open === OPEN_ARRAY) return filterArray(run, path, included);
  skipValue(run);
  return included ? run.text.slice(start, run.at) : undefined;
}

/** Drops items of which nothing is kept. */
function filterArray(run: FilterRun, path: string, included: boolean): string | undefined {
  let kept = "";
  run.at += 1;
  for (;;) {
    skipBlanks(run);
    const char = run.text.charCodeAt(run.at);
    if (char === CLOSE_ARRAY || Number.isNaN(char)) break;
    if (char === COMMA) {
      run.at += 1;
      continue;
    }
    const item = filterInside(run, path, included);
    if (item !== undefined && item !== "{}") kept += `${kept === "" ? "" : ","}${item}`;
  }
  run.at += 1;
  return kept === "" ? undefined : `[${kept}]`;
}

// ------------------------------------------------------------------------------------------ scanning

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

function skipBlanks(run: FilterRun): void {
  for (;;) {
    const code = run.text.charCodeAt(run.at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    run.at += 1;
  }
}

function skipString(run: FilterRun): void {
  const { text } = run;
  run.at += 1;
  while (run.at < text.length && text.charCodeAt(run.at) !== QUOTE) {
    run.at += text.charCodeAt(run.at) === BACKSLASH ? 2 : 1;
  }
  run.at += 1;
}

/** Moves past the value without parsing it. */
function skipValue(run: FilterRun): void {
  const { text } = run;
  let depth = 0;
  while (run.at < text.length) {
    const code = text.charCodeAt(run.at);
    if (code === QUOTE) {
      skipString(run);
      if (depth === 0) return;
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (depth === 0) return;
      depth -= 1;
      if (depth === 0) {
        run.at += 1;
        return;
      }
    } else if (depth === 0 && (code === COMMA || code <= 32)) {
      return;
    }
    run.at += 1;
  }
}
