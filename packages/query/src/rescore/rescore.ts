/** Rescoring: the first documents get another score mixed in and are ordered anew. Source: `QueryRescorer`. */
import { buildRoot } from "../queries/query.ts";
import type { Rescore } from "./parse-rescore.ts";
import type { TopDoc } from "../language/results.ts";
import type { Prepared } from "../language/query.ts";
import { weightOf } from "../execution/weights/table.ts";

export function rescoreDocs(
  docs: readonly TopDoc[],
  rescores: readonly Rescore[],
  prepared: Prepared,
): TopDoc[] {
  return rescores.reduce<TopDoc[]>(
    (current, rescore) => rescoreOnce(current, rescore, prepared),
    [...docs],
  );
}

function rescoreOnce(
  docs: readonly TopDoc[],
  rescore: Rescore,
  { context, searcher }: Prepared,
): TopDoc[] {
  const window = docs.slice(0, rescore.windowSize);
  const rest = docs.slice(rescore.windowSize);
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
  return [
    ...window
      .map((doc) => ({ ...doc, score: combine(rescore, doc.score, scores.get(doc)) }))
      .toSorted((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc),
    ...rest,
  ];
}

function combine(rescore: Rescore, first: number, second: number | undefined): number {
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
