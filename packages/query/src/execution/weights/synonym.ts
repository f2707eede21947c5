/**
 * Several terms that count as one: their frequencies in a document are added, then scored once with
 * the highest document frequency among them. Source: Lucene's `SynonymQuery`.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { SynonymPlan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher } from "../../language/searcher.ts";
import { TermScorer } from "./term.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/**
 * The weight of a `synonym` plan. In a segment with only one of the terms, that term's cursor is
 * used, with the statistics of all terms.
 */
export function synonymWeight(plan: SynonymPlan, searcher: Searcher, prepare: Prepare): Weight {
  const { field, terms, boost } = plan;
  const statistics = terms.map((term) => searcher.term(field, term));
  const docFreq = statistics.reduce((highest, one) => Math.max(highest, one.docFreq), 0);
  const idf = prepare.needsScores && docFreq > 0 ? searcher.idf(field, docFreq) : 0;
  const bm25 = searcher.scorer(field, idf, boost);
  return {
    constantScore: undefined,
    scorer: ({ reader, ord }) => {
      const index = reader.terms(field);
      if (index === undefined) return undefined;
      const norms = reader.norms(field);
      const scorers = statistics.flatMap(({ ords }) => {
        const found = ords[ord] as number;
        return found < 0 ? [] : [new TermScorer(index.postings(found), bm25, norms)];
      });
      return scorers.length <= 1 ? scorers[0] : new SynonymScorer(scorers);
    },
  };
}

/**
 * The union of the terms. `score` adds the frequencies before BM25 saturates them: two synonyms in
 * a document count as two occurrences of one term.
 */
class SynonymScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = Infinity;
  private readonly terms: readonly TermScorer[];
  private at = -1;

  constructor(terms: readonly TermScorer[]) {
    this.terms = terms;
    this.cost = terms.reduce((sum, { cost }) => sum + cost, 0);
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    let first = NO_MORE_DOCS;
    for (const term of this.terms) {
      const doc = term.doc() < target ? term.advance(target) : term.doc();
      if (doc < first) first = doc;
    }
    this.at = first;
    return first;
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    let freq = 0;
    for (const { postings } of this.terms)
      if (postings.docId() === this.at) freq += postings.freq();
    const [first] = this.terms;
    if (first === undefined) return 0;
    return first.bm25.score(freq, first.norms === undefined ? 1 : (first.norms[this.at] as number));
  }
}
