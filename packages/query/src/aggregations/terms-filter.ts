/**
 * `include` and `exclude` of `terms`: a regular expression, exact values, or a partition. Source:
 * `IncludeExclude`.
 */
import {
  illegalArgument,
  isJsonObject,
  murmur3,
  utf8Encode,
  OperationError,
  type Json,
} from "@orrery/stdx";
import { regexpDfa } from "../automata/regexp.ts";
import { checkRegexLength } from "../queries/pattern-queries.ts";
import type { IndexSettings } from "../language/mapping.ts";
import { intOf, items, members, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/** Tests whether a key passes `include` and `exclude`. */
export type KeyFilter = (key: string) => boolean;

/** The filter as requested, before the type of the field is known. */
export interface KeyChoice {
  /** True for a regular expression, which only fields of text accept. */
  readonly isPattern: boolean;
  /**
   * The filter on a shard. `canonical` maps a value of the request to the key for which it stands.
   */
  filter(settings: IndexSettings, canonical: (text: string) => string): KeyFilter;
}

/**
 * The choice of keys; `undefined`: neither parameter is given.
 * @throws OperationError 400
 */
export function parseInclude(
  include: Cursor | undefined,
  exclude: Cursor | undefined,
): KeyChoice | undefined {
  if (include === undefined && exclude === undefined) return undefined;
  if (include !== undefined && isJsonObject(include.json)) {
    const filter = partitionFilter(include);
    return { isPattern: false, filter: () => filter };
  }
  for (const at of [include, exclude]) checkTexts(at);
  const isPattern = [include, exclude].some((at) => at !== undefined && !Array.isArray(at.json));
  return {
    isPattern,
    filter: (settings, canonical) => {
      const matcherOf = (at: Cursor): KeyFilter =>
        Array.isArray(at.json) ? listed(at, canonical) : matching(at, settings);
      const accepts = include === undefined ? undefined : matcherOf(include);
      const rejects = exclude === undefined ? undefined : matcherOf(exclude);
      return (key) =>
        (accepts === undefined || accepts(key)) && (rejects === undefined || !rejects(key));
    },
  };
}

/**
 * Checks values while the request is parsed, though shards read them again: an error must be one of
 * the request.
 */
function checkTexts(at: Cursor | undefined): void {
  if (at === undefined) return;
  if (!Array.isArray(at.json)) scalarText(at);
  else if ((at.json as readonly Json[]).some((item) => typeof item === "object"))
    throw new OperationError({ type: "parse_exception", reason: NO_TEXT, status: 400 });
}

const NO_TEXT = "Array elements in include/exclude clauses should be string values";

function listed(at: Cursor, canonical: (text: string) => string): KeyFilter {
  const keys = new Set(items(at).map((item) => canonical(scalarText(item))));
  return (key) => keys.has(key);
}

function matching(at: Cursor, settings: IndexSettings): KeyFilter {
  const text = scalarText(at);
  checkRegexLength(settings, text, "request");
  return regexpDfa(text).accepts;
}

/**
 * Keys whose hash is in one of `num_partitions` partitions; the hash and its seed are the
 * product's.
 */
function partitionFilter(at: Cursor): KeyFilter {
  const options = new Map(members(at));
  const partition = options.get("partition");
  const partitions = options.get("num_partitions");
  if (partition === undefined)
    throw illegalArgument("Missing [partition] parameter for partition-based include");
  if (partitions === undefined)
    throw illegalArgument("Missing [num_partitions] parameter for partition-based include");
  const wanted = intOf(partition);
  const count = intOf(partitions);
  if (wanted < 0 || wanted >= count)
    throw illegalArgument(`Partition must be >=0 and < numPartition which is ${count}`);
  return (key) => {
    const hash = murmur3(utf8Encode(key), 31);
    return ((hash % count) + count) % count === wanted;
  };
}
