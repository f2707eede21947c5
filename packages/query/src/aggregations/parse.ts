/**
 * Parses the `aggs` section: names, types, sub-aggregations, `meta`. Source:
 * `AggregatorFactories.parseAggregators`.
 */
import { isJsonObject, OperationError, type Json } from "@orrery/stdx";
import {
  BodyError,
  didYouMean,
  members,
  parsingError,
  tokenOf,
  TokenError,
  contentError,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { jsonText } from "../json/json-text.ts";
import type { Printable } from "../json/printable.ts";
import type { Aggregation, AggregationTree } from "../language/aggregation.ts";
import { checkPipelines } from "./pipeline/apply.ts";
import { pipelinesLast } from "./pipeline/order.ts";

/**
 * The tree of an `aggs` object, its pipelines checked.
 * @throws BodyError or OperationError 400
 */
export function parseAggregations(at: Cursor): AggregationTree {
  const tree = parseTree(at);
  checkPipelines(tree);
  return tree;
}

/** One level, with pipelines after the aggregations that they read. */
function parseTree(at: Cursor): AggregationTree {
  return pipelinesLast(members(at).map(([name, member]) => parseOne(name, member)));
}

/** One aggregation: its members in any order, then the body of its type. */
function parseOne(name: string, at: Cursor): Aggregation {
  if (!/^[^[\]>]+$/.test(name)) {
    throw parsingError(
      at,
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      "key",
    );
  }
  if (!isJsonObject(at.json)) {
    throw parsingError(
      at,
      `Aggregation definition for [${name} starts with a [${tokenOf(at.json)}], expected a [START_OBJECT].`,
    );
  }
  let type: { readonly name: string; readonly body: Cursor } | undefined;
  let meta: Printable | undefined;
  let children: AggregationTree = [];
  for (const [key, member] of members(at)) {
    if (!isJsonObject(member.json)) {
      throw parsingError(
        member,
        `Expected [START_OBJECT] under [${key}], but got a [${tokenOf(member.json)}] in [${name}]`,
      );
    }
    if (key === "meta") meta = member.json;
    else if (key === "aggs" || key === "aggregations") children = parseTree(member);
    else if (type === undefined) type = { name: key, body: member };
    else {
      throw parsingError(
        member,
        `Found two aggregation type definitions in [${name}]: [${type.name}] and [${key}]`,
      );
    }
  }
  if (type === undefined)
    throw parsingError(at, `Missing definition for aggregation [${name}]`, "end");
  const { name: typeName, body } = type;
  const parse = at.language.aggregations.get(typeName);
  if (parse === undefined) throw unknownType(typeName, body);
  const aggregation = tokensChecked(typeName, () =>
    parse({ name, type: typeName, meta, children }, body),
  );
  if (children.length > 0 && aggregation.children.length === 0) {
    throw new OperationError({
      type: "aggregation_initialization_exception",
      reason: `Aggregator [${name}] of type [${type.name}] cannot accept sub-aggregations`,
      status: 500,
    });
  }
  return !aggregation.needsScores && mayReadScore(body.json)
    ? { ...aggregation, needsScores: true }
    : aggregation;
}

/**
 * Whether a script of the aggregation names the score. Only its text tells here: compiled on a
 * shard, the script would say so after the query was prepared without scores.
 */
function mayReadScore(json: Json = null): boolean {
  if (!isJsonObject(json)) return false;
  return Object.entries(json).some(([name, value]) =>
    name === "script" ? jsonText(sourceOf(value)).includes("_score") : mayReadScore(value),
  );
}

/** A stored script, whose source is unknown here, is expected to read the score. */
function sourceOf(script: Json = null): Json {
  if (!isJsonObject(script)) return script;
  return script["source"] ?? script["inline"] ?? "_score";
}

/** Rejects a parameter by its name if it is an object, a list or null in the place of a value. */
function tokensChecked(type: string, parse: () => Aggregation): Aggregation {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const { at } = error;
    throw contentError(
      at,
      `[${type}] ${at.key} doesn't support values of type: ${tokenOf(at.json)}`,
    );
  }
}

function unknownType(type: string, at: Cursor): BodyError {
  return new BodyError(at, "value", (line, col) => ({
    type: "parsing_exception",
    reason: `Unknown aggregation type [${type}]${didYouMean(type, at.language.aggregations.keys())}`,
    status: 400,
    metadata: { line, col },
    causedBy: {
      type: "named_object_not_found_exception",
      reason: `[${line}:${col}] unknown field [${type}]`,
      status: 400,
    },
  }));
}
