/** `nested`: documents by matches among their nested objects. Source: `NestedQueryBuilder`. */
import { illegalArgument, OperationError } from "@orrery/stdx";
import { none } from "../language/plan.ts";
import { parseParameters } from "./common.ts";
import { checkInnerHits, parseInnerHits } from "./inner-hits.ts";
import { booleanOf, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { buildQuery } from "./query.ts";
import type { ParseInner, Query } from "../language/query.ts";
import { expensive } from "./term-plan.ts";

const MODES = ["avg", "sum", "min", "max", "none"] as const;

/**
 * Parses a `nested` query.
 * @throws BodyError or OperationError 400
 */
export function parseNested(at: Cursor, parseInner: ParseInner): Query {
  const { parameters, basics } = parseParameters(at, "nested", [
    "path",
    "query",
    "score_mode",
    "ignore_unmapped",
    "inner_hits",
  ]);
  const pathAt = parameters.get("path");
  const queryAt = parameters.get("query");
  if (pathAt === undefined) throw illegalArgument("[nested] requires 'path' field");
  if (queryAt === undefined) throw illegalArgument("[nested] requires 'query' field");
  const path = scalarText(pathAt);
  const query = parseInner(queryAt);
  const hitsAt = parameters.get("inner_hits");
  const innerHits = hitsAt === undefined ? undefined : parseInnerHits(hitsAt);
  const modeAt = parameters.get("score_mode");
  const scoreMode = modeAt === undefined ? "avg" : parseMode(modeAt);
  const ignoreAt = parameters.get("ignore_unmapped");
  const ignoreUnmapped = ignoreAt !== undefined && booleanOf(ignoreAt);
  return {
    ...basics,
    build: (context, boost) => {
      if (!context.allowExpensiveQueries) throw expensive("[joining] queries");
      const object = context.mapping.object(path);
      if (object === undefined) {
        if (ignoreUnmapped) return none(`unmapped path [${path}]`);
        throw notNested(`[nested] failed to find nested object under path [${path}]`);
      }
      if (!object.isNested)
        throw notNested(`[nested] nested object under path [${path}] is not of nested type`);
      if (innerHits !== undefined) checkInnerHits(innerHits, context.mapping.settings);
      const plan = buildQuery(query, { ...context, nestedPath: path }, boost);
      // Objects of one path are not inside each other, so this is the same object again.
      if (context.nestedPath === path) return plan;
      return { kind: "nested", path, parentPath: context.nestedPath, plan, scoreMode, boost };
    },
  };
}

function notNested(reason: string): OperationError {
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}

function parseMode(at: Cursor): (typeof MODES)[number] {
  const word = scalarText(at);
  const mode = MODES.find((candidate) => candidate === word);
  if (mode === undefined) throw parsingError(at, `No score mode for child query [${word}] found`);
  return mode;
}
