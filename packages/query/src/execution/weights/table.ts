/**
 * The table of plan kinds: each kind's builder makes the weight that runs it. A new kind of plan is
 * a row here, which the mapped type demands; a query that no kind expresses brings its weight along
 * in an `own` plan.
 */
import type { Plan } from "../../language/plan.ts";
import { emptyWords } from "../bits.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import { boolWeight } from "./bool.ts";
import { existsSet, numberRangeSet, numberValuesSet } from "./columns.ts";
import { constantWeight } from "./constant.ts";
import { disMaxWeight } from "./dis-max.ts";
import { nestedWeight } from "./nested.ts";
import { phraseWeight } from "./phrase.ts";
import { setWeight, type SegmentSet } from "./sets.ts";
import { synonymWeight } from "./synonym.ts";
import { termWeight } from "./term.ts";
import { termPatternWeight, termRangeWeight, termSetWeight } from "./terms.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/**
 * Builds the weight of one kind of plan. `searcher` holds the statistics, `prepare` whether scores
 * are read.
 */
type Build<Kind extends Plan["kind"]> = (
  plan: Extract<Plan, { readonly kind: Kind }>,
  searcher: Searcher,
  prepare: Prepare,
) => Weight;

const builders: { readonly [Kind in Plan["kind"]]: Build<Kind> } = {
  all: (plan) => setWeight(plan.boost, () => ({ kind: "all" })),
  none: () => setWeight(0, () => undefined),
  term: termWeight,
  "term-set": termSetWeight,
  "term-pattern": termPatternWeight,
  "term-range": termRangeWeight,
  "number-range": (plan) => setWeight(plan.boost, (segment) => numberRangeSet(plan, segment)),
  "number-set": (plan) => setWeight(plan.boost, (segment) => numberValuesSet(plan, segment)),
  exists: (plan) =>
    setWeight(plan.boost, ({ reader, maxDoc }) => existsSet(reader, plan.field, maxDoc)),
  ids: (plan) => setWeight(plan.boost, (segment) => idsSet(plan.ids, segment)),
  phrase: phraseWeight,
  synonym: synonymWeight,
  bool: boolWeight,
  "dis-max": disMaxWeight,
  constant: constantWeight,
  nested: nestedWeight,
  own: (plan, searcher, prepare) => plan.weight(searcher, prepare),
};

/** The weight of a whole plan. Weights build the weights of their clauses by `prepare.weightOf`. */
export function weightOf(
  plan: Plan,
  searcher: Searcher,
  options: { readonly needsScores: boolean },
): Weight {
  return build(plan, searcher, { ...options, weightOf: build });
}

function build<Kind extends Plan["kind"]>(
  plan: Extract<Plan, { readonly kind: Kind }>,
  searcher: Searcher,
  prepare: Prepare,
): Weight {
  const builder = builders[plan.kind] as Build<Kind>;
  return builder(plan, searcher, prepare);
}

/**
 * Documents with one of the ids. `find` is given the live documents because an updated document
 * leaves deleted ones with its id in the same segment.
 */
function idsSet(
  ids: Extract<Plan, { kind: "ids" }>["ids"],
  { reader, live, maxDoc }: SegmentContext,
): SegmentSet | undefined {
  const words = emptyWords(maxDoc);
  let count = 0;
  const liveDocs = live === undefined ? undefined : { maxDoc, liveCount: maxDoc, words: live };
  for (const id of ids) {
    const doc = reader.find(id, liveDocs);
    if (doc < 0) continue;
    words[doc >> 5] = (words[doc >> 5] as number) | (1 << (doc & 31));
    count += 1;
  }
  return count === 0 ? undefined : { kind: "bits", words };
}
