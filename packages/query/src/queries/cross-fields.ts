/**
 * `cross_fields` of `multi_match`: fields with the same analyzer are searched as if they were one.
 * Each term is scored with about the document frequency of the field in which it is most frequent.
 * Source: `MultiMatchQuery.CrossFieldsQueryBuilder`, `BlendedTermQuery`.
 */
import { greatest, least, utf8Encode } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import { none, type Plan } from "../language/plan.ts";
import type { MultiMatchSpec } from "./multi-match.ts";
import { checkClauseCount } from "./limits.ts";
import { fieldOf } from "./query.ts";
import type { BuildContext } from "../language/query.ts";
import type { FieldStatistics } from "../language/searcher.ts";
import { analyzeText, matchPlan, wordsPlan, zeroTerms } from "./text-plan.ts";

/** A field with its boost. */
interface GroupedField {
  readonly field: CompiledField;
  readonly boost: number;
}

/**
 * The plan of `cross_fields`: analyzed fields of the same search analyzer are one group, every other
 * field is a group of its own. The score is that of the best group, plus those of the others times
 * the tie breaker (default 0).
 */
export function crossFieldsPlan(
  spec: MultiMatchSpec,
  fields: ReadonlyMap<string, number>,
  { context, boost }: { readonly context: BuildContext; readonly boost: number },
): Plan {
  const groups = new Map<unknown, GroupedField[]>();
  for (const [name, weight] of fields) {
    const field = fieldOf(context, name);
    if (field === undefined) continue;
    const key = field.text === "analyzed" ? field.searchAnalyzer : field.name;
    const group = groups.get(key) ?? [];
    group.push({ field, boost: weight });
    groups.set(key, group);
  }
  const plans = [...groups.values()].map((group) => groupPlan(spec, group, { context, boost }));
  const [only] = plans;
  if (only === undefined) return none("unmapped fields");
  return plans.length === 1 ? only : { kind: "dis-max", plans, tieBreaker: spec.tieBreaker ?? 0 };
}

/** The plan of one group: every word may be in any of its fields. */
function groupPlan(
  spec: MultiMatchSpec,
  group: readonly GroupedField[],
  { context, boost }: { readonly context: BuildContext; readonly boost: number },
): Plan {
  const [first] = group;
  if (first === undefined) return none("unmapped fields");
  const options = spec.textOptions;
  if (group.length === 1) {
    const subject = {
      context,
      field: first.field,
      boost: Math.fround(boost * Math.fround(first.boost)),
    };
    return matchPlan(subject, spec.text, options);
  }
  const words = analyzeText(context, first.field, spec.text, {
    analyzer: options.analyzer,
    areClauses: true,
  }).map(({ text }) => text);
  if (words.length === 0) return zeroTerms(options.zeroTerms, boost);
  checkClauseCount(words.length, context.limits);
  context.work.willMake(words.length * group.length, context.limits);
  const clauses = words.map((word) =>
    blended(word, group, { context, boost, tieBreaker: spec.tieBreaker ?? 0 }),
  );
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined) return only;
  return wordsPlan(clauses, options);
}

/** The boosts of a word. */
interface BlendOptions {
  readonly context: BuildContext;
  readonly boost: number;
  readonly tieBreaker: number;
}

/**
 * The document frequency by which a word is scored in each field: the highest one, plus 1 for each
 * higher frequency among the fields, so that the field in which the word is most frequent scores
 * best. No frequency exceeds the documents of its field, nor the tokens of a field with the word.
 */
function blendedFrequencies(
  frequencies: readonly number[],
  fields: readonly FieldStatistics[],
  maxDoc: number,
): number[] {
  const tokens = fields.flatMap(({ sumTotalTermFreq }, i) =>
    frequencies[i] === 0 ? [] : [sumTotalTermFreq],
  );
  const bound = Math.min(maxDoc, least(tokens));
  const highest = Math.min(bound, greatest(frequencies));
  const distinct = [...new Set(frequencies)];
  return fields.map(({ docCount }, i) => {
    const own = frequencies[i] as number;
    const above = distinct.filter((other) => other > own).length;
    return own === 0 ? 0 : Math.min(bound, docCount, highest + above);
  });
}

/** One word in all fields of a group. */
function blended(
  word: string,
  group: readonly GroupedField[],
  { context, boost, tieBreaker }: BlendOptions,
): Plan {
  const term = utf8Encode(word);
  const { searcher } = context;
  const frequencies = group.map(({ field }) => searcher.term(field.name, term).docFreq);
  if (greatest(frequencies) === 0) return none(`no field has [${word}]`);
  const fields = group.map(({ field }) => searcher.field(field.name));
  const blends = blendedFrequencies(frequencies, fields, searcher.maxDoc);
  const plans = group.map(({ field, boost: weight }, i): Plan => ({
    kind: "term",
    field: field.name,
    term,
    boost: Math.fround(boost * Math.fround(weight)),
    docFreq: blends[i],
  }));
  return { kind: "dis-max", plans, tieBreaker };
}
