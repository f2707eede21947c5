/**
 * `_script`: sorts by the number or the text that a script gives for each document, or for its
 * nested objects. Source: `ScriptSortBuilder`.
 */
import { illegalArgument, type Json } from "@orrery/stdx";
import { contentError, members, scalarText, wrapField } from "../body/cursor.ts";
import { nestedChildren } from "../execution/nested-children.ts";
import type { Cursor } from "../language/cursor.ts";
import type { BuildContext } from "../language/query.ts";
import type { SortValue } from "../language/results.ts";
import type { BoundScript, Script } from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { SortKey, SortReader, SortType } from "../language/sort.ts";
import { buildExpanded } from "../queries/query.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";
import { scriptField } from "../scripts/parse-script.ts";
import { parseNested, type NestedSort } from "./field-sort.ts";
import { parseMode, type SortMode } from "./sort-mode.ts";
import { parseNumber, pickFrom } from "./sort-numbers.ts";
import { readOptions } from "./sort-options.ts";

/** Name of the sort and of its parser. */
const NAME = "_script";

/** Options, deprecated ones included, which are rejected with a message of their own. */
const KNOWN = ["script", "type", "order", "mode", "nested", "nested_path", "nested_filter"];

/** A parsed sort. */
interface ScriptSort {
  readonly script: Script;
  readonly isText: boolean;
  readonly isDescending: boolean;
  readonly mode: SortMode | undefined;
  readonly nested: NestedSort | undefined;
}

/** The sort `_script`. */
export const scriptSort: SortType = { parse: parseScriptSort };

function parseScriptSort(at: Cursor): SortKey {
  let script: Script | undefined;
  let isText: boolean | undefined;
  let mode: SortMode | undefined;
  let nested: NestedSort | undefined;
  const read = (option: string, member: Cursor): void => {
    if (option === "script") script = scriptField(member, NAME);
    else if (option === "type") isText = wrapField(member, NAME, () => isTextType(member));
    else if (option === "mode") mode = wrapField(member, NAME, () => parseMode(scalarText(member)));
    else if (option === "nested") nested = wrapField(member, NAME, () => parseNested(member));
    else throw contentError(member, `[${NAME}] [${option}] is deprecated, use [nested] instead`);
  };
  const isDescending = readOptions(at, { parser: NAME, known: KNOWN, read }) ?? false;
  if (script === undefined || isText === undefined) {
    const missing = [script === undefined ? ["script"] : [], isText === undefined ? ["type"] : []];
    throw illegalArgument(`Required [${missing.flat().join(", ")}]`);
  }
  if (isText && mode !== undefined && mode !== "min" && mode !== "max") {
    const modeAt = members(at).find(([name]) => name === "mode")?.[1] ?? at;
    throw wrapped(modeAt);
  }
  return keyOf({ script, isText, isDescending, mode, nested });
}

/** The error for a mode that texts do not have. */
function wrapped(at: Cursor): Error {
  const reason = "script sort of type [string] doesn't support mode [" + scalarText(at) + "]";
  const causedBy = illegalArgument(reason).problem;
  return contentError(at, `[${NAME}] failed to parse field [mode]`, { causedBy });
}

/** Whether values are texts, by `type`. */
function isTextType(at: Cursor): boolean {
  const type = scalarText(at);
  const word = type.toLowerCase();
  if (word === "number" || word === "string") return word === "string";
  throw illegalArgument(`Unknown ScriptSortType [${type}]`);
}

function keyOf(sort: ScriptSort): SortKey {
  return {
    name: NAME,
    isDescending: sort.isDescending,
    isMissingFirst: false,
    isScore: false,
    field: undefined,
    printsAs: () => (sort.isText ? undefined : "double"),
    reader: (context) => readerOf(sort, context),
  };
}

/** The script with its parameters. */
type Bound = BoundScript<[score: number], number | string>;

function readerOf(sort: ScriptSort, context: BuildContext): SortReader {
  const { script, isText, isDescending } = sort;
  const lookup = scriptLookup(context.searcher);
  const bound: Bound = isText
    ? compileScript(context, script, "string_sort").bind(script.params, lookup)
    : compileScript(context, script, "number_sort").bind(script.params, lookup);
  const open = openerOf(sort, bound, context);
  return {
    isDescending,
    isMissingFirst: false,
    isScore: false,
    needsScore: bound.needsScore,
    isDoc: false,
    print: undefined,
    open: (segment) => ({ value: open(segment), rank: undefined, ranks: undefined }),
    parse: (value) => parseValue(value, isText),
  };
}

/** Opens a segment. */
type Open = (segment: SegmentContext) => (doc: number, score: number) => SortValue;

/**
 * The values of documents; with `nested` the mode picks one of the values of the nested objects.
 */
function openerOf(
  { nested, mode, isText, isDescending }: ScriptSort,
  bound: Bound,
  context: BuildContext,
): Open {
  if (nested === undefined) return (segment) => bound.open(segment);
  const { path, filter } = nested;
  const plan = filter && buildExpanded(filter, { ...context, nestedPath: path }, 1);
  const children = nestedChildren(path, plan, context.searcher);
  const pick = mode ?? (isDescending ? "max" : "min");
  const missing = isDescending ? -Number.MAX_VALUE : Number.MAX_VALUE;
  return (segment) => {
    const run = bound.open(segment);
    const childrenOf = children(segment);
    return (doc, score) => {
      const values = childrenOf(doc).map((child) => run(child, score));
      if (isText) return extreme(values.map(String), pick === "max");
      return pickFrom(values.map(Number), pick) ?? missing;
    };
  };
}

/** The first or last of the texts; `null`: the document has no nested objects. */
function extreme(texts: readonly string[], isGreatest: boolean): string | null {
  let best: string | null = null;
  for (const text of texts) if (best === null || text > best === isGreatest) best = text;
  return best;
}

/** The value for which a value of `search_after` stands. */
function parseValue(value: Json, isText: boolean): SortValue {
  if (!isText) return value === null ? value : parseNumber(value, NAME, false);
  if (value === null || typeof value === "string") return value;
  return typeof value === "object" ? null : String(value);
}
