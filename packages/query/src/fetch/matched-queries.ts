/** The named queries that each hit matches, with their scores. */
import type { Prepared } from "../language/query.ts";
import type { Rest } from "../work/steps.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { MatchedQuery } from "../language/hits.ts";
import type { TopDoc } from "../language/results.ts";

/** The result for all hits of a fetch. */
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
  for (const { name, plan } of inHashOrder(named)) {
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

/** Orders names like a Java `HashMap`, since clients see its order. */
function inHashOrder<T extends { readonly name: string }>(named: readonly T[]): T[] {
  let size = 16;
  while (named.length > size * 0.75) size *= 2;
  const slot = (name: string): number => {
    let hash = 0;
    for (let i = 0; i < name.length; i += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return named.toSorted((a, b) => slot(a.name) - slot(b.name));
}
