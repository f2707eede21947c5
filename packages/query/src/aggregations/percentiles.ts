/**
 * `percentiles`, `percentile_ranks` and `median_absolute_deviation`, from t-digests. Source:
 * `AbstractTDigestPercentilesAggregator`, `MedianAbsoluteDeviationAggregator`.
 */
import { illegalArgument, setKey } from "@orrery/stdx";
import { double, javaDouble } from "../json/json-text.ts";
import {
  intOf,
  tokenOf,
  contentError,
  unknownField,
  wrapField,
  BodyError,
  floatOf,
  items,
  members,
  parsingError,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Printable } from "../json/printable.ts";
import { defineMetric } from "./define.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { TDigest, type DigestPartial } from "./t-digest.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { numberSource, type ValuesSpec } from "./values.ts";
import { checkCount } from "../work/list-sizes.ts";

/** A digest in a partial, with the format of its values. */
interface Digest {
  readonly digest: DigestPartial;
  readonly format: ValueFormat;
}

/** Bytes of a digest without values. */
const DIGEST_BYTES = 256;

/** Bytes of a number of a partial: it is encoded, decoded by the coordinating node, and merged. */
const NUMBER_BYTES = 64;

/** Steps of the budget for adding a value to a digest. */
const VALUE_STEPS = 4;

/** The product's default. */
const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];

/** Parses a `percentiles` aggregation. */
export function parsePercentiles(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "percentiles", ["percents", "keyed", "tdigest", "hdr"]);
  const given = options.cursor("percents");
  const percents = given === undefined ? DEFAULT_PERCENTS : numbersOf(given, "percents");
  if (percents.length === 0)
    throw notBuilt(at, head.type, `[percents] must not be an empty array: [${head.name}]`);
  for (const percent of percents) {
    if (percent >= 0 && percent <= 100) continue;
    const complaint = `percent must be in [0,100], got [${javaDouble(percent)}]: [${head.name}]`;
    throw notBuilt(at, head.type, complaint);
  }
  const sorted = percents.toSorted((a, b) => a - b);
  return digestAggregation(head, options, {
    typedName: options.has("hdr") ? "hdr_percentiles" : "tdigest_percentiles",
    keys: sorted,
    value: (digest, percent) => digest.quantile(percent / 100),
  });
}

/** Parses a `percentile_ranks` aggregation. */
export function parsePercentileRanks(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "percentile_ranks", ["values", "keyed", "tdigest", "hdr"]);
  const given = options.cursor("values");
  if (given === undefined)
    throw notBuilt(at, head.type, `[values] must not be null: [${head.name}]`);
  const values = numbersOf(given, "values").toSorted((a, b) => a - b);
  if (values.length === 0)
    throw notBuilt(at, head.type, `[values] must not be an empty array: [${head.name}]`);
  return digestAggregation(head, options, {
    typedName: options.has("hdr") ? "hdr_percentile_ranks" : "tdigest_percentile_ranks",
    keys: values,
    value: (digest, value) => digest.cdf(value) * 100,
  });
}

/** The error of the product's builder, which checks parameters after it has read the whole body. */
function notBuilt(at: Cursor, type: string, reason: string): BodyError {
  return new BodyError(at, "end", () => ({
    type: "x_content_parse_exception",
    reason: `Failed to build [${type}] after last required field arrived`,
    status: 400,
    causedBy: illegalArgument(reason).problem,
  }));
}

/** The numbers of a list, limited in number. */
function numbersOf(at: Cursor, name: string): number[] {
  const numbers = items(at).map(floatOf);
  checkCount(name, numbers.length, "values");
  return numbers;
}

/**
 * Checks `hdr` and ignores it: t-digests answer for both methods. Source:
 * `PercentilesMethod.HDR_PARSER`.
 */
function checkHdr(options: Options): void {
  const body = options.cursor("hdr");
  if (body === undefined) return;
  wrapField(body, options.type, () => {
    for (const [name, member] of members(body)) {
      if (name !== DIGITS) throw unknownField(member, "hdr", [DIGITS]);
      const { json } = member;
      if (typeof json !== "string" && typeof json !== "number" && typeof json !== "bigint")
        throw contentError(
          member,
          `[hdr] ${DIGITS} doesn't support values of type: ${tokenOf(json)}`,
        );
      wrapField(member, "hdr", () => {
        const digits = intOf(member);
        if (digits < 0 || digits > 5)
          throw illegalArgument("[numberOfSignificantValueDigits] must be between 0 and 5");
      });
    }
  });
}

const DIGITS = "number_of_significant_value_digits";

/** `tdigest.compression`. */
function compressionOf(options: Options): number {
  const body = options.cursor("tdigest");
  if (body === undefined) return 100;
  for (const [name, member] of members(body)) {
    if (name !== "compression") throw parsingError(member, `[tdigest] unknown field [${name}]`);
    const value = floatOf(member);
    if (value < 0)
      throw illegalArgument(
        `[compression] must be greater than or equal to 0. Found [${javaDouble(value)}]`,
      );
    return value;
  }
  return 100;
}

/** The members in which the two differ: `value` gives the number printed for a key. */
interface DigestKind {
  readonly typedName: string;
  readonly keys: readonly number[];
  value(digest: TDigest, key: number): number;
}

/** The aggregation of either kind. */
function digestAggregation(head: AggregationHead, options: Options, kind: DigestKind): Aggregation {
  const spec = options.values();
  const isKeyed = options.flag("keyed", true);
  const compression = compressionOf(options);
  checkHdr(options);
  return defineMetric<Digest>(head, {
    create: (context) => createDigests(context, spec, { type: head.type, compression }),
    reduce: (partials) => reduceDigests(partials, compression),
    typedName: () => kind.typedName,
    metric: (reduced, property) => {
      if (property === undefined)
        throw illegalArgument(`[${head.name}] needs a percent to be ordered by`);
      return kind.value(digestOf(reduced, compression), Number(property));
    },
    render: (reduced) => {
      const digest = digestOf(reduced, compression);
      const rows = kind.keys.map((key) => {
        const value = kind.value(digest, key);
        const text = Number.isNaN(value) ? undefined : formatNumber(value, reduced.format);
        return { key, value: Number.isNaN(value) ? null : double(value), text };
      });
      return {
        values: isKeyed
          ? keyed(rows)
          : rows.map(({ key, value, text }) => ({
              key: double(key),
              value,
              value_as_string: text,
            })),
      };
    },
  });
}

/** The object by keys, with formatted values beside them. */
function keyed(
  rows: readonly {
    readonly key: number;
    readonly value: Printable;
    readonly text: string | undefined;
  }[],
): Printable {
  const json: { [key: string]: Printable } = {};
  for (const { key, value, text } of rows) {
    setKey(json, javaDouble(key), value);
    if (text !== undefined) setKey(json, `${javaDouble(key)}_as_string`, text);
  }
  return json;
}

/** The digest of a partial. */
function digestOf({ digest: partial }: Digest, compression: number): TDigest {
  const digest = new TDigest(compression);
  digest.addAll(partial);
  return digest;
}

/**
 * Merges the shards' digests in their order, on which the result depends. A single one stays as it
 * is.
 */
function reduceDigests(all: readonly Digest[], compression: number): Digest {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const digest = new TDigest(compression);
  for (const partial of all) digest.addAll(partial.digest);
  return {
    digest: digest.partial(),
    format: all.find(({ format }) => format !== RAW)?.format ?? RAW,
  };
}

/** A digest for each bucket of the parent with documents. */
function createDigests(
  context: AggregationContext,
  spec: ValuesSpec,
  { type, compression }: { readonly type: string; readonly compression: number },
): Aggregator<Digest> {
  const source = numberSource(context, spec, type);
  const format = formatOf(source.field, spec.format, spec.timeZone);
  const digests: (TDigest | undefined)[] = [];
  const { budget } = context;
  const digestFor = (bucket: number): TDigest => {
    const known = digests[bucket];
    if (known !== undefined) return known;
    budget.hold(DIGEST_BYTES);
    return (digests[bucket] = new TDigest(compression, budget));
  };
  return {
    open: (segment) => {
      const leaf = source.open(segment);
      if (leaf === undefined) return { collect: () => {} };
      return {
        collect: (docs, buckets, count) => {
          budget.step(count * VALUE_STEPS);
          for (let i = 0; i < count; i += 1) {
            const doc = docs[i] as number;
            const digest = digestFor(buckets === undefined ? 0 : (buckets[i] as number));
            if (leaf.dense !== undefined) digest.add(leaf.dense[doc] as number);
            else {
              const found = leaf.read(doc);
              budget.step(found * VALUE_STEPS);
              for (let v = found - 1; v >= 0; v -= 1) digest.add(leaf.buffer[v] as number);
            }
          }
        },
      };
    },
    partial: (bucket) => {
      const digest = digests[bucket]?.partial() ?? [];
      budget.hold(digest.length * NUMBER_BYTES);
      return { digest, format };
    },
    metric: (bucket, property) => digests[bucket]?.quantile(Number(property) / 100) ?? Number.NaN,
  };
}

/** Parses a `median_absolute_deviation` aggregation. */
export function parseMedianAbsoluteDeviation(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "median_absolute_deviation", ["compression"]);
  const spec = options.values();
  const compression = options.read(
    "compression",
    (member) => {
      const value = floatOf(member);
      if (value > 0) return value;
      throw illegalArgument(
        `[compression] must be greater than 0. Found [${javaDouble(value)}] in [${head.name}]`,
      );
    },
    1000,
  );
  const valueOf = (reduced: Digest): number =>
    digestOf(reduced, compression).medianAbsoluteDeviation(compression);
  return defineMetric<Digest>(head, {
    create: (context) => createDigests(context, spec, { type: head.type, compression }),
    reduce: (partials) => reduceDigests(partials, compression),
    metric: valueOf,
    render: (reduced) => {
      const value = valueOf(reduced);
      const text = Number.isNaN(value) ? undefined : formatNumber(value, reduced.format);
      return { value: Number.isNaN(value) ? null : double(value), value_as_string: text };
    },
  });
}
