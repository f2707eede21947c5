/**
 * Scripts of aggregations: the values that a script computes from a document, or from each value of
 * a field.
 */
import type { AggregationContext } from "../language/aggregation.ts";
import { javaText } from "@orrery/stdx";
import { Decimal } from "../json/printable.ts";
import type { HitValue } from "../language/hits.ts";
import type { CompiledField } from "../language/field-type.ts";
import type { DocValues, FieldValue, Script, ScriptValue } from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { javaDouble } from "../json/json-text.ts";
import type { CountValues } from "./presence.ts";
import { compileScript } from "../scripts/compile-script.ts";
import { scriptLookup } from "../scripts/doc-values.ts";

/**
 * Opens a segment. The returned function runs the script once, for a document and a value of the
 * aggregation's field (`undefined`: there is no field).
 */
export type OpenScript = (
  segment: SegmentContext,
) => (doc: number, value: FieldValue) => ScriptValue;

/**
 * Compiles and binds a script.
 * @throws OperationError if the script is refused
 */
export function openScript({ build, scores }: AggregationContext, script: Script): OpenScript {
  const compiled = compileScript(build, script, "aggs");
  const bound = compiled.bind(script.params, scriptLookup(build.searcher));
  return (segment) => {
    const run = bound.open(segment);
    // Scores are looked up only for scripts that read them.
    if (!bound.needsScore) return (doc, value) => run(doc, Number.NaN, value);
    return (doc, value) => run(doc, scores.of(doc), value);
  };
}

/**
 * Appends the values as numbers: booleans as 1 and 0, texts as the numbers that they contain, or
 * NaN. Nulls are left out.
 */
export function numbersOf(value: ScriptValue, into: number[]): void {
  if (value === null) return;
  if (typeof value === "number" || typeof value === "bigint") into.push(Number(value));
  else if (typeof value === "boolean") into.push(value ? 1 : 0);
  else if (typeof value === "string") into.push(Number(value));
  else for (const one of value) numbersOf(one, into);
}

/** Appends the values as keys of buckets: doubles always with a fraction, as Java prints them. */
export function textsOf(value: ScriptValue, into: string[]): void {
  if (value === null) return;
  if (typeof value === "number") into.push(javaDouble(value));
  else if (typeof value !== "object") into.push(String(value));
  else for (const one of value) textsOf(one, into);
}

/** The number of values that the script gives for a document, nulls left out. */
export function scriptedCounts(
  context: AggregationContext,
  script: Script,
  field: CompiledField | undefined,
): CountValues {
  const open = openScript(context, script);
  const openValues =
    field === undefined ? undefined : scriptLookup(context.build.searcher).values(field);
  return (segment) => {
    const run = open(segment);
    const values = openValues?.(segment);
    return (doc) => {
      const texts: string[] = [];
      if (values === undefined) textsOf(run(doc, undefined), texts);
      else eachValue(values, doc, (value) => textsOf(run(doc, value), texts));
      return texts.length;
    };
  };
}

function textOf(value: HitValue): string {
  return value instanceof Decimal ? javaDouble(value.value) : javaText(value);
}

/** Calls `give` with each value of a document: a number as it is, any other value as text. */
export function eachValue(values: DocValues, doc: number, give: (value: FieldValue) => void): void {
  const count = values.at(doc);
  for (let i = 0; i < count; i += 1) {
    const number = values.number(i);
    give(Number.isNaN(number) ? textOf(values.value(i)) : number);
  }
}
