/**
 * Counts of values by document, for `value_count`, and whether there are any, for `missing`.
 * Columns of the core are read directly; a field type of a plugin without them answers by its
 * members `columnValues` and `queries.exists`.
 */
import { illegalArgument } from "@orrery/stdx";
import type { AggregationContext } from "../language/aggregation.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { emptyWords, hasBit } from "../execution/bits.ts";
import { bitsOf } from "../execution/weights/filters.ts";
import { weightOf } from "../execution/weights/table.ts";

/**
 * Opens a segment; the returned function gives the number of values of a document. `undefined`: no
 * document of the segment has a value.
 */
export type CountValues = (segment: SegmentContext) => ((doc: number) => number) | undefined;

/**
 * The counts of a field's values; those of an unmapped field are 0.
 * @throws OperationError 400 if the field's type does not expose its values
 */
export function valueCounts(
  { budget }: AggregationContext,
  field: CompiledField | undefined,
): CountValues {
  if (field === undefined) return () => undefined;
  const name = field.aliasOf ?? field.name;
  const { columnValues } = field;
  if (columnValues === undefined && field.values.kind === "none")
    throw unsupported(field, "value_count");
  return ({ reader }) => {
    const column = reader.ordinals(name) ?? reader.numbers(name);
    if (column !== undefined) return (doc) => column.count(doc);
    if (columnValues === undefined) return undefined;
    return (doc) => {
      let count = 0;
      for (const _ of columnValues(reader, name, doc)) {
        budget.step(1);
        count += 1;
      }
      return count;
    };
  };
}

/** Opens a segment; the returned function tells whether a document has a value. */
export type HasValues = (segment: SegmentContext) => (doc: number) => boolean;

/**
 * Tests documents for a value of a field; no document has a value of an unmapped field.
 * @throws OperationError 400 if the field's type does not expose its values
 */
export function documentsWithValues(
  context: AggregationContext,
  field: CompiledField | undefined,
): HasValues {
  if (field === undefined) return () => () => false;
  const name = field.aliasOf ?? field.name;
  const { columnValues } = field;
  const isForeign = field.values.kind === "none" || columnValues !== undefined;
  const own = isForeign ? matching(context, field) : undefined;
  if (isForeign && own === undefined && columnValues === undefined)
    throw unsupported(field, "missing");
  return (segment) => {
    const { reader } = segment;
    const column = reader.ordinals(name) ?? reader.numbers(name) ?? reader.binary(name);
    if (column !== undefined) return (doc) => column.documents.has(doc);
    if (own !== undefined) return own(segment);
    if (columnValues === undefined) return () => false;
    return (doc) => {
      context.budget.step(1);
      for (const _ of columnValues(reader, name, doc)) return true;
      return false;
    };
  };
}

/** Documents that match the field type's own `exists` query; `undefined`: it has none. */
function matching(
  { build, plans }: AggregationContext,
  { queries }: CompiledField,
): HasValues | undefined {
  const plan = queries.exists?.(1);
  if (plan === undefined) return undefined;
  plans.push(plan);
  const weight = weightOf(plan, build.searcher, { needsScores: false });
  return (segment) => {
    // Bits instead of a cursor, because below a `nested` aggregation documents come in any order.
    const words = emptyWords(segment.maxDoc);
    const scorer = weight.scorer(segment);
    if (scorer !== undefined) bitsOf(scorer, words);
    return (doc) => hasBit(words, doc);
  };
}

function unsupported({ name, type }: CompiledField, aggregation: string): Error {
  return illegalArgument(
    `Field [${name}] of type [${type}] is not supported for aggregation [${aggregation}]`,
  );
}
