/**
 * Queries around other queries: `constant_score`, `dis_max`, `boosting`, `wrapper`. Source:
 * `ConstantScoreQueryBuilder`, `DisMaxQueryBuilder`, `BoostingQueryBuilder`, `WrapperQueryBuilder`.
 */
import { base64ToBytes, illegalArgument } from "@orrery/stdx";
import { parseJson } from "../json/parse-json.ts";
import { boostingPlan } from "../execution/weights/boosting.ts";
import { parseParameters } from "./common.ts";
import { floatOf, items, parsingError, rootCursor, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { buildQuery } from "./query.ts";
import type { ParseInner, Query } from "../language/query.ts";

/**
 * Parses a `constant_score` query.
 * @throws BodyError or OperationError 400
 */
export function parseConstantScore(at: Cursor, parseInner: ParseInner): Query {
  const { parameters, basics } = parseParameters(at, "constant_score", ["filter"]);
  const filter = parameters.get("filter");
  if (filter === undefined)
    throw parsingError(at, "[constant_score] requires a 'filter' element", "end");
  if (Array.isArray(filter.json)) throw parsingError(filter, "unexpected token [START_ARRAY]");
  const inner = parseInner(filter);
  return {
    ...basics,
    build: (context, boost) => ({ kind: "constant", plan: buildQuery(inner, context, 1), boost }),
  };
}

/**
 * Parses a `dis_max` query.
 * @throws BodyError or OperationError 400
 */
export function parseDisMax(at: Cursor, parseInner: ParseInner): Query {
  const { parameters, basics } = parseParameters(at, "dis_max", ["queries", "tie_breaker"]);
  const given = parameters.get("queries");
  if (given === undefined)
    throw parsingError(at, "[dis_max] requires 'queries' field with at least one clause", "end");
  if (Array.isArray(given.json) && given.json.length === 0)
    throw parsingError(given, "[_na] query malformed, must start with start_object", "end");
  const queries = items(given).map((item) => parseInner(item));
  const tie = parameters.get("tie_breaker");
  const tieBreaker = tie === undefined ? 0 : floatOf(tie);
  return {
    ...basics,
    build: (context, boost) => {
      const plans = queries.map((query) => buildQuery(query, context, boost));
      return { kind: "dis-max", plans, tieBreaker };
    },
  };
}

/**
 * Parses a `boosting` query.
 * @throws BodyError or OperationError 400
 */
export function parseBoosting(at: Cursor, parseInner: ParseInner): Query {
  const { parameters, basics } = parseParameters(at, "boosting", [
    "positive",
    "negative",
    "negative_boost",
  ]);
  const positiveAt = parameters.get("positive");
  const negativeAt = parameters.get("negative");
  const boostAt = parameters.get("negative_boost");
  if (positiveAt === undefined)
    throw parsingError(at, "[boosting] query requires 'positive' query to be set'", "end");
  if (negativeAt === undefined)
    throw parsingError(at, "[boosting] query requires 'negative' query to be set'", "end");
  const negativeBoost = boostAt === undefined ? -1 : floatOf(boostAt);
  if (negativeBoost < 0) {
    throw parsingError(
      at,
      "[boosting] query requires 'negative_boost' to be set to be a positive value'",
      "end",
    );
  }
  const positive = parseInner(positiveAt);
  const negative = parseInner(negativeAt);
  return {
    ...basics,
    build: (context, boost) =>
      boostingPlan({
        positive: buildQuery(positive, context, boost),
        negative: buildQuery(negative, context, 1),
        negativeBoost,
      }),
  };
}

/**
 * Parses a `wrapper` query, which contains another query as JSON in base64.
 * @throws BodyError or OperationError 400
 */
export function parseWrapper(at: Cursor, parseInner: ParseInner): Query {
  const { parameters, basics } = parseParameters(at, "wrapper", ["query"]);
  const given = parameters.get("query");
  if (given === undefined) throw parsingError(at, "[wrapper] query malformed", "end");
  const bytes = base64ToBytes(scalarText(given));
  if (bytes === undefined) throw illegalArgument("Illegal base64 character");
  const inner = parseInner(rootCursor(parseJson(bytes), at.language));
  return { ...basics, build: (context, boost) => buildQuery(inner, context, boost) };
}
