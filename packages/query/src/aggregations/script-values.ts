/** Scripts of aggregations: a script gives the values of a document, or is given each value of a field and gives another. */
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

/** Values that a script computes from a document, or from one value of it. */
export type OpenScript = (
  segment: SegmentContext,
) => (doc: number, value: FieldValue) => ScriptValue;

/** Throws `OperationError` for a script that is refused. */
export function openScript({ build, scores }: AggregationContext, script: Script): OpenScript {
  const compiled = compileScript(build, script, "aggs");
  const bound = compiled.bind(script.params, scriptLookup(build.searcher));
  return (segment) => {
    const run = bound.open(segment);
    if (!bound.needsScore) return (doc, value) => run(doc, Number.NaN, value);
    return (doc, value) => run(doc, scores.of(doc), value);
  };
}

/** Numbers among the values, in no order. */
export function numbersOf(value: ScriptValue, into: number[]): void {
  if (value === null) return;
  if (typeof value === "number" || typeof value === "bigint") into.push(Number(value));
  else if (typeof value === "boolean") into.push(value ? 1 : 0);
  else if (typeof value === "string") into.push(Number(value));
  else for (const one of value) numbersOf(one, into);
}

/** Values as keys of buckets: doubles with a fraction, as Java prints them. */
export function textsOf(value: ScriptValue, into: string[]): void {
  if (value === null) return;
  if (typeof value === "number") into.push(javaDouble(value));
  else if (typeof value !== "object") into.push(String(value));
  else for (const one of value) textsOf(one, into);
}

/** How many values the script gives for a document. */
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

export function eachValue(values: DocValues, doc: number, give: (value: FieldValue) => void): void {
  const count = values.at(doc);
  for (let i = 0; i < count; i += 1) {
    const number = values.number(i);
    give(Number.isNaN(number) ? textOf(values.value(i)) : number);
  }
}
