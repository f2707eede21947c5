/** The named queries that each hit matches, with their scores. */
import { inHashOrder } from "@orrery/stdx";
import type { Prepared } from "../language/query.ts";
import type { Rest } from "../work/steps.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { MatchedQuery } from "../language/hits.ts";
import type { TopDoc } from "../language/results.ts";

/**
 * The named queries that the hits of a fetch match; the list is empty for a hit that matches none.
 */
export interface MatchedQueries {
  of(top: TopDoc): readonly MatchedQuery[];
}

/** Runs each named query over the given documents. Yields between queries and between documents. */
export function* matchedQueries(
  { named, searcher }: Prepared,
  docs: readonly TopDoc[],
  { showsScores, rest }: { readonly showsScores: boolean; readonly rest: Rest },
): Generator<undefined, MatchedQueries> {
  const found = new Map<string, MatchedQuery[]>();
  const keyOf = ({ segment, doc }: TopDoc): string => `${segment}:${doc}`;
  const bySegment = searcher.segments.map(({ ord }) =>
    docs.filter((top) => top.segment === ord).toSorted((a, b) => a.doc - b.doc),
  );
  for (const { name, plan } of inNameOrder(named)) {
    const weight = weightOf(plan, searcher, { needsScores: true });
    for (const segment of searcher.segments) {
      const own = bySegment[segment.ord] ?? [];
      const scorer = own.length === 0 ? undefined : weight.scorer(segment);
      if (scorer === undefined) continue;
      for (const top of own) {
        yield* rest();
        const at = scorer.doc() < top.doc ? scorer.advance(top.doc) : scorer.doc();
        if (at !== top.doc || !scorer.matches()) continue;
        const list = found.get(keyOf(top)) ?? [];
        list.push({ name, score: showsScores ? scorer.score() : undefined });
        found.set(keyOf(top), list);
      }
    }
  }
  return { of: (top) => found.get(keyOf(top)) ?? [] };
}

/** Orders named queries by name like the product's hash table, whose order clients see. Several may have one name. */
function inNameOrder(named: Prepared["named"]): Prepared["named"] {
  const names = inHashOrder([...new Set(named.map(({ name }) => name))]);
  const places = new Map(names.map((name, place) => [name, place]));
  return named.toSorted((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0));
}
