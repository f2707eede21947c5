/**
 * The sources of aggregations' values: `field`, `script`, `missing`; numbers by document. Source:
 * `ValuesSourceConfig`.
 */
import type { NumberColumn, OrdinalColumn } from "@orrery/segment";
import {
  jsonNumber,
  forInputString,
  javaText,
  illegalArgument,
  OperationError,
  type Json,
} from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import { dateFormatOf } from "../dates/format.ts";
import { parseDateMath } from "../dates/date-math.ts";
import { fieldOf } from "../queries/query.ts";
import { refuseFormat, requireFieldData } from "../execution/field-data.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { AggregationContext } from "../language/aggregation.ts";
import type { Script } from "../language/script.ts";
import { numbersOf, openScript } from "./script-values.ts";
import { formatOf, termFormat, type ValueFormat } from "./value-format.ts";

/** The parameters of a request from which an aggregation takes its values. */
export interface ValuesSpec {
  readonly field: string | undefined;
  /**
   * Computes the values of a document; with `field`, is called with each value of the field
   * instead.
   */
  readonly script?: Script | undefined;
  /** Value of documents that have none. */
  readonly missing: Json | undefined;
  readonly format: string | undefined;
  readonly valueType: string | undefined;
  readonly timeZone: string | undefined;
}

/** Reads the numbers of the documents of one segment. */
export interface NumberLeaf {
  /**
   * Values by document, if every document has exactly one and none is converted: loops read the
   * array. `undefined`: call `read`.
   */
  readonly dense: Int32Array | Float64Array | undefined;
  /** Values are integers, whose sums need no compensation. */
  readonly isInteger: boolean;
  /**
   * Fills `buffer` with the values of the document, ascending, and returns their number. It may
   * replace `buffer` by a larger one.
   */
  read(doc: number): number;
  readonly buffer: Float64Array;
}

/** Reads the numbers of a field or script on a shard. */
export interface NumberSource {
  readonly field: CompiledField | undefined;
  /** Opens a segment; `undefined`: no document of it has a value. */
  open(segment: SegmentContext): NumberLeaf | undefined;
  /**
   * Values without loss, as keys of `terms`: 64-bit integers beyond 2^53 as bigints. `undefined`:
   * the values of `open` are exact.
   */
  readonly exact:
    | ((segment: SegmentContext) => ((doc: number) => (number | bigint)[]) | undefined)
    | undefined;
}

/**
 * The field, for aggregations that accept no script; `undefined`: it is unmapped.
 * @throws OperationError if there is a script, or the field cannot be aggregated on
 */
export function aggregatedField(
  context: AggregationContext,
  spec: ValuesSpec,
): CompiledField | undefined {
  const field = scriptedField(context, spec);
  if (spec.script === undefined) return field;
  if (field?.values.kind !== "geo_point")
    throw illegalArgument("scripts are not supported in this aggregation");
  const reason = "value source of type [geopoint] is not supported by scripts";
  throw new OperationError({ type: "aggregation_execution_exception", reason, status: 500 });
}

/**
 * The field, for aggregations that accept a script; `undefined`: it is unmapped or not given.
 * @throws OperationError if it cannot be aggregated on
 */
export function scriptedField(
  context: AggregationContext,
  spec: ValuesSpec,
): CompiledField | undefined {
  if (spec.field === undefined) return undefined;
  const field = fieldOf(context.build, spec.field);
  if (field !== undefined) {
    requireFieldData(field, context.build);
    refuseFormat(field, spec.format);
  }
  return field;
}

/**
 * Numbers of a numeric, date or boolean field, or of a script.
 * @throws OperationError 400 for fields of other types
 */
export function numberSource(
  context: AggregationContext,
  spec: ValuesSpec,
  type: string,
): NumberSource {
  const field = scriptedField(context, spec);
  const { script } = spec;
  const isScripted = script !== undefined && (field !== undefined || spec.field === undefined);
  if (isScripted) return scriptSource(context, spec, { script, field, type });
  const missing = missingNumber(spec, field, context);
  if (field === undefined) {
    return {
      field,
      open: () => (missing === undefined ? undefined : constantLeaf(missing)),
      exact: undefined,
    };
  }
  if (termFormat(field) === "boolean") {
    const name = field.aliasOf ?? field.name;
    return {
      field,
      exact: undefined,
      open: ({ reader }) => {
        const column = reader.ordinals(name);
        if (column !== undefined) return booleanLeaf(column, missing);
        return missing === undefined ? undefined : constantLeaf(missing);
      },
    };
  }
  const { values } = field;
  if (values.kind !== "numbers") {
    throw illegalArgument(
      `Field [${field.name}] of type [${field.type}] is not supported for aggregation [${type}]`,
    );
  }
  const name = field.aliasOf ?? field.name;
  return {
    field,
    open: ({ reader }) => {
      const column = reader.numbers(name);
      if (column === undefined) return missing === undefined ? undefined : constantLeaf(missing);
      const double = values.isIdentity ? undefined : values.double;
      return numberLeaf(column, { double, missing, budget: context.budget });
    },
    exact: ({ reader }) => {
      const column = reader.numbers(name);
      if (column === undefined) return missing === undefined ? undefined : () => [missing];
      return (doc) => {
        if (!column.has(doc)) return missing === undefined ? [] : [missing];
        const all: (number | bigint)[] = [];
        context.budget.step(column.end(doc) - column.start(doc));
        for (let i = column.start(doc); i < column.end(doc); i += 1)
          all.push(values.read(column, i));
        return all;
      };
    },
  };
}

/** A script, and the field whose values it is called with. */
interface ScriptSource {
  readonly script: Script;
  readonly field: CompiledField | undefined;
  readonly type: string;
}

/**
 * Numbers that a script gives: once for each document without a field, once for each value with
 * one. `missing` replaces the result for documents without a number; the script is not called with
 * it.
 */
function scriptSource(
  context: AggregationContext,
  spec: ValuesSpec,
  { script, field, type }: ScriptSource,
): NumberSource {
  const kind = unsupportedKind(field, spec.valueType);
  if (kind !== undefined)
    throw illegalArgument(`Script yielding [${kind}] is not supported for aggregation [${type}]`);
  const plain = { ...spec, script: undefined, missing: undefined };
  const given = field === undefined ? undefined : numberSource(context, plain, type);
  const missing = missingNumber(spec, field, context);
  const run = openScript(context, script);
  return {
    field,
    exact: undefined,
    open: (segment) => {
      const values = given?.open(segment);
      if (given !== undefined && values === undefined)
        return missing === undefined ? undefined : constantLeaf(missing);
      const runOn = run(segment);
      return scriptLeaf((doc, into) => {
        if (values === undefined) numbersOf(runOn(doc, undefined), into);
        const count = values === undefined ? 0 : values.dense === undefined ? values.read(doc) : 1;
        for (let i = 0; i < count; i += 1)
          numbersOf(runOn(doc, values?.dense?.[doc] ?? values?.buffer[i]), into);
        if (into.length === 0 && missing !== undefined) into.push(missing);
      });
    },
  };
}

/** The kind of a script's values if they are no numbers, for the error. */
function unsupportedKind(
  field: CompiledField | undefined,
  valueType: string | undefined,
): string | undefined {
  if (field === undefined)
    return valueType === "string" || valueType === "ip" ? valueType : undefined;
  const { values } = field;
  return values.kind === "terms" && values.format !== "boolean" ? "unknown type" : undefined;
}

/** Values computed on demand, sorted. */
function scriptLeaf(fill: (doc: number, into: number[]) => void): NumberLeaf {
  const found: number[] = [];
  const leaf = {
    dense: undefined,
    isInteger: false,
    buffer: new Float64Array(8),
    read: (doc: number): number => {
      found.length = 0;
      fill(doc, found);
      if (found.length > leaf.buffer.length) leaf.buffer = new Float64Array(found.length * 2);
      for (let i = 0; i < found.length; i += 1) leaf.buffer[i] = found[i] as number;
      if (found.length > 1) leaf.buffer.subarray(0, found.length).sort();
      return found.length;
    },
  };
  return leaf;
}

/** Format of dates whose field is not mapped. */
const DEFAULT_DATES = "strict_date_optional_time||epoch_millis";

/** The format of values whose field is not mapped, by `value_type`. */
export function unmappedFormat({ valueType, format, timeZone }: ValuesSpec): ValueFormat {
  if (valueType === "boolean") return "boolean";
  if (valueType === "date") return `date|${format ?? DEFAULT_DATES}|${timeZone ?? "UTC"}`;
  return formatOf(undefined, format, timeZone);
}

/** `missing` as a number: dates are parsed by the field's format, booleans are 1 and 0. */
function missingNumber(
  spec: ValuesSpec,
  field: CompiledField | undefined,
  context: AggregationContext,
): number | undefined {
  const { missing } = spec;
  const isUnmappedDate = field === undefined && spec.valueType === "date";
  if (isUnmappedDate && typeof missing === "string") {
    return parseDateMath(missing, dateFormatOf(spec.format ?? DEFAULT_DATES), {
      nowMs: context.build.nowMs,
    }).ms;
  }
  if (missing === undefined) return undefined;
  if (typeof missing === "boolean") return missing ? 1 : 0;
  if (field?.dateFormat !== undefined && typeof missing === "string") {
    const format = spec.format === undefined ? field.dateFormat : dateFormatOf(spec.format);
    return parseDateMath(missing, format, { nowMs: context.build.nowMs }).ms;
  }
  const number = jsonNumber(missing);
  if (Number.isNaN(number)) {
    throw new OperationError({
      type: "number_format_exception",
      reason: forInputString(javaText(missing)),
      status: 400,
    });
  }
  return number;
}

/** Documents with the value of `missing` alone. */
function constantLeaf(value: number): NumberLeaf {
  const buffer = Float64Array.of(value);
  return { dense: undefined, isInteger: false, buffer, read: () => 1 };
}

/**
 * `double` converts the stored values of a field type, `undefined`: they are the numbers
 * themselves.
 */
interface LeafOptions {
  readonly double: ((column: NumberColumn, index: number) => number) | undefined;
  readonly missing: number | undefined;
  readonly budget: Budget;
}

/** Values of a column of numbers. */
function numberLeaf(column: NumberColumn, { double, missing, budget }: LeafOptions): NumberLeaf {
  const isPlain =
    column.isDense && double === undefined && !(column.values instanceof BigInt64Array);
  const leaf = {
    dense: isPlain ? column.values : undefined,
    isInteger: column.type === "long" && double === undefined,
    buffer: new Float64Array(8),
    read: (doc: number): number => {
      if (!column.has(doc)) {
        if (missing === undefined) return 0;
        leaf.buffer[0] = missing;
        return 1;
      }
      const start = column.start(doc);
      const count = column.end(doc) - start;
      budget.step(count);
      if (count > leaf.buffer.length) leaf.buffer = new Float64Array(count * 2);
      for (let i = 0; i < count; i += 1) {
        leaf.buffer[i] =
          double === undefined ? column.valueAt(start + i) : double(column, start + i);
      }
      return count;
    },
  };
  return leaf;
}

/** Values of a column of booleans, whose terms are `T` and `F`. */
function booleanLeaf(column: OrdinalColumn, missing: number | undefined): NumberLeaf {
  const isTrue = Array.from({ length: column.dictionary.size }, (_, ord) =>
    column.dictionary.term(ord)[0] === 84 ? 1 : 0,
  );
  const buffer = new Float64Array(Math.max(2, isTrue.length));
  return {
    dense: undefined,
    isInteger: true,
    buffer,
    read: (doc) => {
      const start = column.start(doc);
      const count = column.has(doc) ? column.end(doc) - start : 0;
      if (count === 0 && missing !== undefined) {
        buffer[0] = missing;
        return 1;
      }
      for (let i = 0; i < count; i += 1) buffer[i] = isTrue[column.ords[start + i] as number] ?? 0;
      return count;
    },
  };
}
