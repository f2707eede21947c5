/**
 * `composite`: a bucket for each combination of several sources' values, sorted by the sources in
 * turn and returned in pages; `after` is the last key of the page before. Source:
 * `CompositeAggregator`. A shard counts all combinations behind `after` and returns its first
 * `size`, among which are all that the shard adds to the page.
 */
import {
  jsonNumber,
  forInputString,
  javaText,
  illegalArgument,
  isJsonObject,
  latin1Text,
  lookup,
  OperationError,
  type JsonObject,
} from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import { lazyItems } from "../json/json-text.ts";
import { parseIp } from "../mapping/types/ip.ts";
import { items, members, parsingError, scalarText, intOf, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { compareCodePoints } from "../sorts/compare.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { Printable } from "../json/printable.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { parseRounding } from "./histogram.ts";
import {
  keySource,
  keyText,
  printKey,
  type Key,
  type KeyKind,
  type KeySource,
} from "./key-source.ts";
import { KeyedBuckets, mergeBuckets, reduceMerged, type PartialBucket } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import { checkPageOfBuckets } from "./limits.ts";
import { partialOf } from "./reduce-steps.ts";
import { COMBINATION_STEPS } from "./tuple-keys.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { numberSource, type ValuesSpec } from "./values.ts";

/** A value of one source; `null` stands for a missing one. */
type Part = Key | null;
/** The key of a bucket: one value for each source. */
type Parts = readonly Part[];

/** A parsed source. */
interface SourceSpec {
  readonly name: string;
  readonly type: "terms" | "histogram" | "date_histogram";
  readonly values: ValuesSpec;
  readonly isDescending: boolean;
  /**
   * `missing_bucket`: documents without a value have the key `null`; otherwise they have no bucket.
   */
  readonly allowsMissing: boolean;
  readonly isMissingFirst: boolean;
  /** The key of a value, for histograms; `undefined` for terms. */
  readonly round: ((value: number) => number) | undefined;
}

/** A parsed request; `after` is `undefined` for the first page. */
interface CompositeSpec {
  readonly size: number;
  readonly sources: readonly SourceSpec[];
  readonly after: JsonObject | undefined;
}

/** Kind and format of one source's values. */
interface Shape {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
}

interface CompositePartial {
  /** How each source's values print, in the order of the sources. */
  readonly shapes: readonly Shape[];
  readonly buckets: readonly PartialBucket<Parts>[];
}

const SOURCE_TYPES = ["terms", "histogram", "date_histogram"] as const;

/** Parses a `composite` aggregation. */
export function parseComposite(head: AggregationHead, at: Cursor): Aggregation {
  const spec = parseSpec(at);
  const compare = comparator(spec.sources);
  return defineBuckets<CompositePartial>(head, {
    create: (context) => {
      checkPageOfBuckets(context, spec.size);
      return createComposite(spec, head, context);
    },
    reduce: (partials, context) => {
      const merged = mergeBuckets(
        partials.map(({ buckets }) => buckets),
        idOf,
      );
      const best = merged.toSorted((a, b) => compare(a.key, b.key)).slice(0, spec.size);
      if (context.isFinal) context.addBuckets(best.length);
      const { shapes = [] } =
        partials.find((partial) => partial.shapes.some(({ format }) => format !== RAW)) ??
        partials[0] ??
        {};
      return partialOf(reduceMerged(head.children, best, context), (buckets) => ({
        shapes,
        buckets,
      }));
    },
    bucketsOf: ({ buckets, shapes }) =>
      buckets.map(({ k, n, c }) => {
        const key = k
          .map((part, i) =>
            part === null
              ? "null"
              : keyText(part, shapes[i]?.kind ?? "string", shapes[i]?.format ?? RAW),
          )
          .join("|");
        return { key, keyText: key, count: n, children: c };
      }),
    render: ({ buckets, shapes }, options) => {
      const last = buckets.at(-1);
      const keyOf = (key: Parts): { [name: string]: Printable } =>
        Object.fromEntries(
          spec.sources.map((source, i) => [
            source.name,
            printPart(key[i] ?? null, shapes[i], source),
          ]),
        );
      return {
        ...(last === undefined ? {} : { after_key: keyOf(last.k) }),
        buckets: lazyItems(buckets, ({ k, n, c }) => ({
          key: keyOf(k),
          doc_count: n,
          ...renderChildren(head.children, c, options),
        })),
      };
    },
  });
}

/** A value in a printed key. Dates print as numbers unless the request has a format. */
function printPart(part: Part, shape: Shape | undefined, { values, type }: SourceSpec): Printable {
  if (part === null) return null;
  const { kind, format } = shape ?? { kind: "string", format: RAW };
  if (format.startsWith("date|") && values.format === undefined) return part;
  if (format.startsWith("date|") || format.startsWith("decimal|"))
    return keyText(part, kind, format);
  return printKey(part, type === "histogram" ? "double" : kind, format);
}

/** A text by which equal keys are equal. */
function idOf(parts: Parts): string {
  return JSON.stringify(parts.map((part) => (typeof part === "bigint" ? `${part}` : part)));
}

// ------------------------------------------------------------------------------------------ parsing

function parseSpec(at: Cursor): CompositeSpec {
  let size = 10;
  let sources: readonly SourceSpec[] = [];
  let after: JsonObject | undefined;
  for (const [name, member] of members(at)) {
    if (name === "size") size = intOf(member);
    else if (name === "sources") sources = items(member).map(parseSource);
    else if (name === "after") after = isJsonObject(member.json) ? member.json : undefined;
    else throw unknownField(member, "composite", ["sources", "size", "after"]);
  }
  if (sources.length === 0) throw illegalArgument("Composite [sources] cannot be null or empty");
  checkSources(sources.length);
  const names = sources.map(({ name }) => name);
  const doubles = names.filter((name, i) => names.indexOf(name) !== i);
  if (doubles.length > 0) {
    throw illegalArgument(
      `Composite source names must be unique, found duplicates: [${[...new Set(doubles)].join(",")}]`,
    );
  }
  if (size <= 0) throw illegalArgument("[size] must be greater than 0");
  if (after !== undefined && Object.keys(after).length !== sources.length) {
    throw illegalArgument(
      `[after] has ${Object.keys(after).length} value(s) but [sources] has ${sources.length}`,
    );
  }
  return { size, sources, after };
}

/** Parses `{"name": {"terms": {"field": …}}}`. */
function parseSource(at: Cursor): SourceSpec {
  const [named] = members(at);
  if (named === undefined) throw parsingError(at, "Unexpected token END_OBJECT");
  const [name, body] = named;
  const [typed] = members(body);
  if (typed === undefined) throw parsingError(body, "Unexpected token END_OBJECT");
  const [type, inner] = typed;
  const known = SOURCE_TYPES.find((one) => one === type);
  if (known === undefined) throw parsingError(inner, `invalid source type: ${type}`);
  const own =
    known === "terms"
      ? []
      : known === "histogram"
        ? ["interval"]
        : ["interval", "calendar_interval", "fixed_interval", "offset"];
  const options = new Options(inner, known, ["order", "missing_bucket", "missing_order", ...own]);
  const values = options.values();
  const isDescending = orderOf(options.text("order") ?? "asc");
  const missingOrder = options.text("missing_order") ?? "default";
  return {
    name,
    type: known,
    values,
    isDescending,
    allowsMissing: options.flag("missing_bucket", false),
    isMissingFirst: missingOrder === "default" ? !isDescending : missingOrder === "first",
    round: known === "terms" ? undefined : roundOf(known, options, values),
  };
}

/** Whether the order is descending. */
function orderOf(order: string): boolean {
  if (order !== "asc" && order !== "desc") throw illegalArgument(`invalid order: ${order}`);
  return order === "desc";
}

/** The rounding of a histogram source. */
function roundOf(
  type: "histogram" | "date_histogram",
  options: Options,
  { timeZone }: ValuesSpec,
): (value: number) => number {
  if (type === "histogram") {
    const interval = options.read("interval", (cursor) => Number(scalarText(cursor)), 0);
    if (!(interval > 0))
      throw illegalArgument("[interval] must be greater than 0 for [histogram] source");
    return (value) => Math.floor(value / interval) * interval;
  }
  const rounding = parseRounding(options, zoneOf(timeZone ?? "UTC"), 0);
  if (rounding === undefined)
    throw illegalArgument("Invalid interval specified, must be non-null and non-empty");
  return (value) => rounding.round(value);
}

// ------------------------------------------------------------------------------------------ order

/** Limit on sources: every document compares a value of each. */
const MOST_SOURCES = 1000;

function checkSources(count: number): void {
  if (count <= MOST_SOURCES) return;
  throw illegalArgument(
    `Composite [sources] has [${count}] sources, which is more than [${MOST_SOURCES}]`,
  );
}

/** Compares keys by the sources in turn. */
function comparator(sources: readonly SourceSpec[]): (a: Parts, b: Parts) => number {
  return (a, b) => {
    for (const [i, source] of sources.entries()) {
      const order = compareParts(a[i] ?? null, b[i] ?? null, source);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Compares two values of a source; missing ones are first or last in either direction. */
function compareParts(a: Part, b: Part, { isDescending, isMissingFirst }: SourceSpec): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === isMissingFirst ? -1 : 1;
  }
  const order =
    typeof a === "string" && typeof b === "string"
      ? compareCodePoints(a, b)
      : a < b
        ? -1
        : a > b
          ? 1
          : 0;
  return isDescending ? -order : order;
}

// ------------------------------------------------------------------------------------------ shard

/** Bytes of a tuple beside its bucket. */
const TUPLE_BYTES = 128;

/** The collector of one shard. */
function createComposite(
  spec: CompositeSpec,
  head: AggregationHead,
  context: AggregationContext,
): Aggregator<CompositePartial> {
  const sources = spec.sources.map((source) => openSource(source, context));
  const compare = comparator(spec.sources);
  const after =
    spec.after === undefined
      ? undefined
      : spec.sources.map((source, i) =>
          afterPart(source, spec.after, { shape: sources[i], context }),
        );
  const buckets = new KeyedBuckets<string>(head.children, context);
  const tuples = new Map<string, Parts>();
  const { budget } = context;
  const shapes = sources.map(({ kind, format }): Shape => ({ kind, format }));
  return {
    open: (segment) => {
      const readers = sources.map((source) => source.open(segment));
      return buckets.open(segment, (doc, put) => {
        for (const parts of combinations(readers, spec.sources, { doc, budget })) {
          // Buckets of earlier pages are not even counted.
          if (after !== undefined && compare(parts, after) <= 0) continue;
          const id = idOf(parts);
          if (!tuples.has(id)) {
            budget.hold(TUPLE_BYTES);
            tuples.set(id, parts);
          }
          put(id);
        }
      });
    },
    partial: (owner) => {
      const all = buckets
        .of(owner)
        .map((bucket) => ({ ...bucket, parts: tuples.get(bucket.key) ?? [] }));
      const best = all.toSorted((a, b) => compare(a.parts, b.parts)).slice(0, spec.size);
      return {
        shapes,
        buckets: best.map(({ parts, count, bucket }) => ({
          k: parts,
          n: count,
          c: buckets.children.partials(bucket),
        })),
      };
    },
  };
}

/** The keys of a document in one source; `undefined`: no document of the segment has one. */
type ReadKeys = ((doc: number) => readonly Key[]) | undefined;

/**
 * All combinations of a document's values, none if a source without `missing_bucket` has no value.
 * A source with one value, the usual case, extends the tuples in place.
 */
function combinations(
  readers: readonly ReadKeys[],
  specs: readonly SourceSpec[],
  { doc, budget }: { readonly doc: number; readonly budget: Budget },
): Parts[] {
  let tuples: Part[][] = [[]];
  for (const [i, read] of readers.entries()) {
    const keys = read?.(doc) ?? [];
    const parts: readonly Part[] =
      keys.length === 0 && specs[i]?.allowsMissing === true ? [null] : keys;
    if (parts.length === 0) return [];
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) for (const tuple of tuples) tuple.push(only);
    else {
      budget.step(tuples.length * parts.length * COMBINATION_STEPS);
      tuples = tuples.flatMap((tuple) => parts.map((part) => [...tuple, part]));
    }
  }
  return tuples;
}

/** The keys of a source: values as they are, or rounded to intervals. */
function openSource(source: SourceSpec, context: AggregationContext): KeySource {
  const { round, values, type } = source;
  if (round === undefined) return keySource(context, values, "composite");
  const numbers = numberSource(context, values, "composite");
  return {
    kind: type === "histogram" ? "double" : "long",
    format: formatOf(numbers.field, values.format, values.timeZone),
    open: (segment: SegmentContext) => {
      const leaf = numbers.open(segment);
      if (leaf === undefined) return undefined;
      return (doc) => {
        if (leaf.dense !== undefined) return [round(leaf.dense[doc] as number)];
        const found = leaf.read(doc);
        return [...new Set(Array.from(leaf.buffer.subarray(0, found), round))];
      };
    },
  };
}

interface AfterPlace {
  readonly shape: Shape | undefined;
  readonly context: AggregationContext;
}

/**
 * A value of `after` as the shard's keys are: dates parsed, addresses as bytes.
 * @throws OperationError 400
 */
function afterPart(
  source: SourceSpec,
  after: CompositeSpec["after"],
  { shape, context }: AfterPlace,
): Part {
  const value = lookup(after, source.name);
  if (value === undefined) throw illegalArgument(`Missing value for [after.${source.name}]`);
  if (value === null && source.allowsMissing) return null;
  if (value === null || typeof value === "object") {
    throw illegalArgument(
      `Invalid value for [after.${source.name}], expected comparable, got [${value === null ? "null" : Array.isArray(value) ? "ArrayList" : "HashMap"}]`,
    );
  }
  const { kind, format } = shape ?? { kind: "string", format: RAW };
  if (kind === "string")
    return format === "ip" ? latin1Text(parseIp(javaText(value))) : javaText(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (format.startsWith("date|") && typeof value === "string") {
    const pattern = source.values.format ?? format.slice(5, format.lastIndexOf("|"));
    return parseDateMath(value, dateFormatOf(pattern), {
      nowMs: context.build.nowMs,
      zone: zoneOf(source.values.timeZone ?? "UTC"),
    }).ms;
  }
  const number = jsonNumber(value);
  if (Number.isNaN(number)) {
    throw new OperationError({
      type: "number_format_exception",
      reason: forInputString(javaText(value)),
      status: 400,
    });
  }
  return number;
}
