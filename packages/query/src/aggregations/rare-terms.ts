/**
 * `rare_terms`: values that at most `max_doc_count` documents have. Counts are exact, unlike the
 * product's, which keeps frequent values in cuckoo filters: each shard also returns the values that
 * are frequent there. Source: `RareTermsAggregator`.
 */
import { illegalArgument } from "@orrery/stdx";
import { lazyItems } from "../json/json-text.ts";
import { intOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { defineBuckets } from "./define.ts";
import { compareKeys } from "./order.ts";
import { renderChildren } from "./children.ts";
import { keySource, keyText, printKey, type Key, type KeyKind } from "./key-source.ts";
import { KeyedBuckets, mergeBuckets, reduceMerged, type PartialBucket } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { partialOf } from "./reduce-steps.ts";
import { parseInclude } from "./terms-filter.ts";
import { formatNumber, RAW, type ValueFormat } from "./value-format.ts";

/** The result of a shard, or of a reduction. */
interface RarePartial {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  readonly buckets: readonly PartialBucket<Key>[];
  /**
   * Values with too many documents on this shard, which are excluded whatever other shards count.
   */
  readonly common: readonly Key[];
}

/** `max_doc_count`, from 1 to 100. */
function rareLimit(at: Cursor, aggregation: string): number {
  const limit = intOf(at);
  if (limit < 1) {
    throw illegalArgument(
      `[max_doc_count] must be greater than 0. Found [${limit}] in [${aggregation}]`,
    );
  }
  if (limit <= 100) return limit;
  throw illegalArgument(`[max_doc_count] must be smallerthan 100in [${aggregation}]`);
}

/** Parses a `rare_terms` aggregation. */
export function parseRareTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "rare_terms", [
    "max_doc_count",
    "precision",
    "include",
    "exclude",
  ]);
  const limit = options.read("max_doc_count", (member) => rareLimit(member, head.name), 1);
  const choice = parseInclude(options.cursor("include"), options.cursor("exclude"));
  const values = options.values();
  return defineBuckets<RarePartial>(head, {
    create: (context) => {
      const source = keySource(context, values, "rare_terms");
      const accepts = choice?.filter(context.build.mapping.settings, String);
      const buckets = new KeyedBuckets<Key>(head.children, context);
      return {
        open: (segment) => {
          const read = source.open(segment);
          return buckets.open(segment, (doc, put) => {
            for (const key of read?.(doc) ?? [])
              if (accepts === undefined || accepts(String(key))) put(key);
          });
        },
        partial: (owner) => {
          const all = buckets.of(owner);
          return {
            kind: source.kind,
            format: source.format,
            buckets: all
              .filter(({ count }) => count <= limit)
              .map(({ key, count, bucket }) => ({
                k: key,
                n: count,
                c: buckets.children.partials(bucket),
              })),
            common: all.filter(({ count }) => count > limit).map(({ key }) => key),
          };
        },
      };
    },
    reduce: (partials, context) => {
      const common = new Set(partials.flatMap((partial) => partial.common));
      const merged = mergeBuckets(
        partials.map(({ buckets }) => buckets),
        (key) => key,
      );
      for (const { key, count } of merged) if (count > limit) common.add(key);
      const rare = merged
        .filter(({ key }) => !common.has(key))
        .toSorted((a, b) => a.count - b.count || compareKeys(a.key, b.key));
      if (context.isFinal) context.addBuckets(rare.length);
      return partialOf(reduceMerged(head.children, rare, context), (buckets) => ({
        kind: partials[0]?.kind ?? "string",
        format: partials.find(({ format }) => format !== RAW)?.format ?? RAW,
        buckets,
        common: [...common],
      }));
    },
    typedName: ({ kind }) => (kind === "string" ? "srareterms" : "lrareterms"),
    bucketsOf: ({ buckets, kind, format }) =>
      buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: keyText(k, kind, format),
        count: n,
        children: c,
      })),
    render: ({ buckets, kind, format }, rendering) => ({
      buckets: lazyItems(buckets, ({ k, n, c }) => {
        const text = typeof k === "string" ? undefined : formatNumber(Number(k), format);
        const key = format === "boolean" ? Number(k) : printKey(k, kind, format);
        return {
          key,
          key_as_string: text,
          doc_count: n,
          ...renderChildren(head.children, c, rendering),
        };
      }),
    }),
  });
}
