/** Ranges of addresses, for `ip_range`. Source: `BinaryRangeAggregator`. */
import { isJsonObject, javaText, type Json, lookup, OperationError } from "@orrery/stdx";
import { BodyError, members, parsingError } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { formatIp, parseCidr, parseIp } from "../mapping/types/ip.ts";
import { termRange } from "../execution/searcher.ts";
import { intervalTree } from "./interval-tree.ts";
import type { AggregationHead, AggregationContext, Aggregator } from "../language/aggregation.ts";
import { rangeAggregator, type RangePartial, type RangeSpec } from "./range-buckets.ts";
import { RAW } from "./value-format.ts";
import { aggregatedField, type ValuesSpec } from "./values.ts";

/** A range, or a network (`mask`). */
interface IpRangeSpec extends RangeSpec {
  readonly mask: string | undefined;
}

/** A parsed request. */
interface IpRanges {
  readonly values: ValuesSpec;
  readonly ranges: readonly IpRangeSpec[];
}

/**
 * Parses a range. An address that cannot be parsed is reported at the end of the range, as in the
 * product.
 * @throws BodyError 400
 */
export function ipRangeOf(at: Cursor): IpRangeSpec {
  for (const [name, member] of members(at)) {
    if (!["key", "from", "to", "mask"].includes(name))
      throw parsingError(member, `Unexpected ip range parameter: [${name}]`);
  }
  const text = (name: string): string | undefined => {
    const value = isJsonObject(at.json) ? lookup(at.json, name) : undefined;
    return value === undefined || value === null ? undefined : javaText(value);
  };
  const range = { key: text("key"), from: text("from"), to: text("to"), mask: text("mask") };
  try {
    if (range.mask !== undefined) parseCidr(range.mask);
    if (range.from !== undefined) parseIp(range.from);
    if (range.to !== undefined) parseIp(range.to);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new BodyError(at, "end", () => error.problem);
  }
  return range;
}

/**
 * The aggregator of ranges of addresses on one shard. Bounds become ranges of ordinals in each
 * segment's dictionary, where addresses are in order, so documents compare integers.
 */
export function ipRanges(
  head: AggregationHead,
  context: AggregationContext,
  { values, ranges }: IpRanges,
): Aggregator<RangePartial> {
  const field = aggregatedField(context, values);
  const name = field === undefined ? "" : (field.aliasOf ?? field.name);
  const bounds = ranges.map(({ key, from, to, mask }) => {
    if (mask !== undefined) {
      const { first, last } = parseCidr(mask);
      const after = increment(last);
      return {
        key: key ?? mask,
        lower: first,
        upper: after,
        from: formatIp(first),
        to: after === undefined ? undefined : formatIp(after),
      };
    }
    const text = (value: Json | undefined): string | undefined =>
      value === undefined ? undefined : javaText(value);
    const lower = text(from);
    const upper = text(to);
    return {
      key: key ?? `${lower ?? "*"}-${upper ?? "*"}`,
      lower: lower === undefined ? undefined : parseIp(lower),
      upper: upper === undefined ? undefined : parseIp(upper),
      from: lower,
      to: upper,
    };
  });
  return rangeAggregator(head, context, {
    format: RAW,
    bounds: bounds.map(({ key, from, to }) => ({ key, from, to })),
    open: ({ reader }) => {
      const column = reader.ordinals(name);
      if (column === undefined) return undefined;
      const spans = bounds.map(({ lower, upper }) =>
        termRange(column.dictionary, { lower, upper, includesLower: true, includesUpper: false }),
      );
      const tree = intervalTree(spans);
      return (doc, visit) => tree.findAny(column.ords, column.start(doc), column.end(doc), visit);
    },
  });
}

/** The next address; `undefined` after the last one. */
function increment(address: Uint8Array): Uint8Array | undefined {
  const next = address.slice();
  for (let i = next.length - 1; i >= 0; i -= 1) {
    if (next[i] === 255) {
      next[i] = 0;
      continue;
    }
    next[i] = (next[i] as number) + 1;
    return next;
  }
  return undefined;
}
