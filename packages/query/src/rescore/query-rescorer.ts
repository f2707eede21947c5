/**
 * The rescorer `query`: combines a document's score with that of another query. Source: Lucene's
 * `QueryRescorer`, `QueryRescorerBuilder`.
 */
import { illegalArgument } from "@orrery/stdx";
import { floatOf, members, scalarText, unknownField, wrapField } from "../body/cursor.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Prepared, Query } from "../language/query.ts";
import type { Rescorer } from "../language/rescorer.ts";
import type { TopDoc } from "../language/results.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { buildRoot } from "../queries/query.ts";

/** Values of `score_mode`. */
const RESCORE_MODES = ["avg", "max", "min", "total", "multiply"] as const;

/** A parsed rescorer; weights multiply either score. */
interface QueryRescore {
  readonly query: Query;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly mode: (typeof RESCORE_MODES)[number];
}

/**
 * Parses a `query` rescorer.
 * @throws BodyError or OperationError 400
 */
export function parseQueryRescorer(at: Cursor): Rescorer {
  let query: Query | undefined;
  let queryWeight = 1;
  let rescoreWeight = 1;
  let mode: QueryRescore["mode"] = "total";
  for (const [name, member] of members(at)) {
    if (name === "rescore_query") query = wrapField(member, "query", () => parseQuery(member));
    else if (name === "query_weight") queryWeight = floatOf(member);
    else if (name === "rescore_query_weight") rescoreWeight = floatOf(member);
    else if (name === "score_mode") {
      const word = scalarText(member).toLowerCase();
      const found = RESCORE_MODES.find((candidate) => candidate === word);
      if (found === undefined) throw illegalArgument(`illegal score_mode [${word}]`);
      mode = found;
    } else
      throw unknownField(member, "query", [
        "rescore_query",
        "query_weight",
        "rescore_query_weight",
        "score_mode",
      ]);
  }
  if (query === undefined) throw illegalArgument("rescore_query cannot be null");
  const spec: QueryRescore = { query, queryWeight, rescoreWeight, mode };
  return {
    queries: [query],
    rescore: (window, prepared) => rescoreByQuery(window, spec, prepared),
    scoreBehind: (score) => combine(spec, score, undefined),
  };
}

/**
 * Scores the window by the second query, segment by segment in ascending order, as a cursor only
 * moves forward; then sorts it.
 */
function rescoreByQuery(
  window: readonly TopDoc[],
  rescore: QueryRescore,
  { context, searcher }: Prepared,
): TopDoc[] {
  const weight = weightOf(buildRoot(rescore.query, context), searcher, { needsScores: true });
  const scores = new Map<TopDoc, number>();
  for (const segment of searcher.segments) {
    const scorer = weight.scorer(segment);
    const own = window
      .filter((doc) => doc.segment === segment.ord)
      .toSorted((a, b) => a.doc - b.doc);
    for (const top of own) {
      if (scorer === undefined) continue;
      const at = scorer.doc() < top.doc ? scorer.advance(top.doc) : scorer.doc();
      if (at === top.doc && scorer.matches()) scores.set(top, scorer.score());
    }
  }
  return window
    .map((doc) => ({ ...doc, score: combine(rescore, doc.score, scores.get(doc)) }))
    .toSorted((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc);
}

/**
 * The combined score, in floats as in Java. A document that the second query does not match keeps
 * its weighted first score.
 */
function combine(rescore: QueryRescore, first: number, second: number | undefined): number {
  const { fround } = Math;
  const base = fround(first * fround(rescore.queryWeight));
  if (second === undefined) return base;
  const added = fround(second * fround(rescore.rescoreWeight));
  switch (rescore.mode) {
    case "avg":
      return fround(fround(base + added) / 2);
    case "max":
      return Math.max(base, added);
    case "min":
      return Math.min(base, added);
    case "multiply":
      return fround(base * added);
    case "total":
      return fround(base + added);
  }
}
