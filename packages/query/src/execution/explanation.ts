/**
 * Explanations of scores (`_explain`, `explain: true`): a tree of values and descriptions. Terms
 * follow the words of Lucene's `BM25Similarity`, `bool` and `dis_max` those of `BooleanWeight` and
 * `DisjunctionMaxQuery`; other plans explain their score in one line. The tree is computed from the
 * plan for each explained hit, in the fetch phase; the query phase does without.
 */
import type { Explanation } from "../language/explanation.ts";
import { javaFloat } from "../json/json-text.ts";
import { byte4ToInt } from "@orrery/segment";
import { utf8Decode } from "@orrery/stdx";
import type { Plan, TermPlan } from "../language/plan.ts";
import type { Searcher, SegmentContext } from "../language/searcher.ts";
import { weightOf } from "./weights/table.ts";
import { scoredDocFreq } from "./weights/term.ts";

/** A document of a segment; `doc` counts from the segment's first document. */
export interface Place {
  readonly segment: SegmentContext;
  readonly doc: number;
}

/**
 * The explanation of one document. A document that the plan does not match gets one with `isMatch:
 * false`.
 */
export function explainPlan(plan: Plan, searcher: Searcher, place: Place): Explanation {
  const score = scoreOf(plan, searcher, place);
  if (score === undefined) return noMatch(describe(plan));
  switch (plan.kind) {
    case "own":
      return plan.explain?.({ ...place, score, searcher }) ?? match(score, describe(plan));
    case "term":
      return explainTerm(plan, searcher, place, score);
    case "bool": {
      const details = [...plan.must, ...plan.should]
        .map((inner) => explainPlan(inner, searcher, place))
        .filter(({ isMatch }) => isMatch);
      const filters = plan.filter.map((inner) => ({
        ...match(0, "match on required clause, product of:"),
        details: [match(0, "# clause"), match(1, describe(inner))],
      }));
      const all = [...filters, ...details];
      const [only] = all;
      if (all.length === 1 && only !== undefined) return only;
      return { ...match(score, "sum of:"), details: all };
    }
    case "dis-max": {
      const details = plan.plans
        .map((inner) => explainPlan(inner, searcher, place))
        .filter(({ isMatch }) => isMatch);
      const words =
        plan.tieBreaker === 0 ? "max of:" : `max plus ${plan.tieBreaker} times others of:`;
      return { ...match(score, words), details };
    }
    default:
      return match(score, describe(plan));
  }
}

/**
 * The score of the document; `undefined` if the plan does not match it. A cursor is opened for this
 * document alone.
 */
function scoreOf(plan: Plan, searcher: Searcher, { segment, doc }: Place): number | undefined {
  const scorer = weightOf(plan, searcher, { needsScores: true }).scorer(segment);
  if (scorer === undefined || scorer.advance(doc) !== doc || !scorer.matches()) return undefined;
  return scorer.score();
}

function match(value: number, description: string): Explanation {
  return { isMatch: true, value, description, details: [] };
}

function noMatch(description: string): Explanation {
  return {
    isMatch: false,
    value: 0,
    description: `no matching term or clause: ${description}`,
    details: [],
  };
}

/** A value that prints as a whole number. */
function count(value: number, description: string): Explanation {
  return { ...match(value, description), isCount: true };
}

/**
 * BM25 of a term from its factors. The factor `tf` is derived from the score, which was computed in
 * floats in Lucene's order, so the printed factors agree with the printed score.
 */
function explainTerm(
  plan: TermPlan,
  searcher: Searcher,
  { segment, doc }: Place,
  score: number,
): Explanation {
  const { field, boost } = plan;
  const statistics = searcher.term(field, plan.term);
  const { docCount, sumTotalTermFreq } = searcher.field(field);
  const docFreq = scoredDocFreq(plan, statistics);
  const idf = searcher.idf(field, docFreq);
  const postings = segment.reader.terms(field)?.postings(statistics.ords[segment.ord] ?? 0);
  postings?.advance(doc);
  const freq = postings?.freq() ?? 1;
  const norm = segment.reader.norms(field)?.[doc] ?? 1;
  const length = byte4ToInt(norm);
  const average = sumTotalTermFreq / docCount;
  const tf = Math.fround(score / Math.fround(idf * Math.fround(boost)));
  const parts: Explanation[] = [
    {
      ...match(idf, "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:"),
      details: [
        count(docFreq, "n, number of documents containing term"),
        count(docCount, "N, total number of documents with field"),
      ],
    },
    {
      ...match(tf, "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:"),
      details: [
        match(freq, "freq, occurrences of term within document"),
        match(1.2, "k1, term saturation parameter"),
        match(0.75, "b, length normalization parameter"),
        match(
          length,
          segment.reader.norms(field) !== undefined && length > 39
            ? "dl, length of field (approximate)"
            : "dl, length of field",
        ),
        match(Math.fround(average), "avgdl, average length of field"),
      ],
    },
  ];
  const all = boost === 1 ? parts : [match(boost, "boost"), ...parts];
  return {
    ...match(
      score,
      `weight(${field}:${utf8Decode(plan.term)} in ${doc}) [PerFieldSimilarity], result of:`,
    ),
    details: [
      {
        ...match(score, `score(freq=${freq.toFixed(1)}), computed as boost * idf * tf from:`),
        details: all,
      },
    ],
  };
}

/**
 * A plan in the syntax of Lucene's `Query.toString`. Term ranges, sets of numbers, ids, synonyms
 * and nested queries print as their `kind` alone.
 */
export function describe(plan: Plan): string {
  switch (plan.kind) {
    case "all":
      return plan.boost === 1 ? "*:*" : `*:*^${plan.boost}`;
    case "none":
      return `MatchNoDocsQuery("${plan.reason}")`;
    case "term":
      return `${plan.field}:${utf8Decode(plan.term)}`;
    case "term-set":
      return `ConstantScore(${plan.field}:${plan.terms.map(utf8Decode).join(" ")})${plan.boost === 1 ? "" : `^${plan.boost}`}`;
    case "number-range":
      return `${plan.field}:[${plan.lower} TO ${plan.upper}]`;
    case "phrase":
      return `${plan.field}:"${plan.positions.map(({ terms }) => utf8Decode(terms[0] ?? new Uint8Array(0))).join(" ")}"`;
    case "bool": {
      const clauses = [
        ...plan.must.map((inner) => `+${describe(inner)}`),
        ...plan.filter.map((inner) => `#${describe(inner)}`),
        ...plan.should.map(describe),
        ...plan.mustNot.map((inner) => `-${describe(inner)}`),
      ];
      return clauses.join(" ");
    }
    case "dis-max":
      return `(${plan.plans.map(describe).join(" | ")})`;
    case "constant":
      return `ConstantScore(${describe(plan.plan)})${plan.boost === 1 ? "" : `^${javaFloat(plan.boost)}`}`;
    case "exists":
      return `FieldExistsQuery [field=${plan.field}]`;
    case "term-pattern":
      return `${plan.field}:${plan.label}`;
    case "own":
      return plan.description;
    default:
      return plan.kind;
  }
}
