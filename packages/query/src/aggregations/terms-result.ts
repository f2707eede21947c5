/**
 * Reduction and rendering of `terms`: buckets of all shards are merged by key, their counts added,
 * and the errors of counts bounded. Source: `InternalTerms.reduce`.
 *
 * A shard returns only its best buckets, so a term that it does not list may have up to as many
 * documents there as its last listed bucket.
 */
import { double, javaDouble, lazyItems } from "../json/json-text.ts";
import { formatIp } from "../mapping/types/ip.ts";
import type { Plain } from "../json/plain.ts";
import type { Printable } from "../json/printable.ts";
import { renderChildren } from "./children.ts";
import { keyText, printKey } from "./key-source.ts";
import {
  type BucketKey,
  isCountDescending,
  isKeyOrder,
  type OrderKey,
  reducedComparator,
} from "./order.ts";
import { applyParentPipelines } from "./pipeline/apply.ts";
import type { TermsPartial, TermsSpec, TupleShapes } from "./terms-spec.ts";
import { decodeTuple } from "./tuple-keys.ts";
import { reduceBuckets } from "./reduce-steps.ts";
import type { ReduceContext, RenderOptions } from "../language/aggregation.ts";
import { formatNumber, RAW, type ValueFormat } from "./value-format.ts";

/** If one index has integers and another one fractions, all keys become doubles. */
function asDoubles(partials: readonly TermsPartial[]): readonly TermsPartial[] {
  const kinds = new Set(partials.map(({ kind }) => kind));
  if (!kinds.has("double") || kinds.size === 1) return partials;
  return partials.map((partial) => ({
    ...partial,
    kind: partial.kind === "long" ? "double" : partial.kind,
    buckets: partial.buckets.map((bucket) =>
      typeof bucket.k === "bigint" ? { ...bucket, k: Number(bucket.k) } : bucket,
    ),
  }));
}

/** A term with its total count, the error of it, and its partials by shard. */
interface MergedTerm {
  readonly key: BucketKey;
  count: number;
  error: number;
  readonly children: (readonly Plain[])[];
}

/**
 * Merges the partials, sorts the terms and cuts the list. A reduction that is not final keeps as
 * many as a shard does, since terms may still gain documents.
 */
export function* reduceTerms(
  spec: TermsSpec,
  all: readonly TermsPartial[],
  context: ReduceContext,
): Generator<undefined, TermsPartial> {
  const mapped = asDoubles(all.filter(({ kind }) => kind !== "unmapped"));
  const tree = spec.head.children;
  const merged = new Map<string, MergedTerm>();
  let other = 0;
  let totalError = 0;
  const shardErrors = mapped.map((partial) => errorOf(partial, spec.order));
  for (const [shard, partial] of mapped.entries()) {
    const error = shardErrors[shard] ?? 0;
    totalError = totalError === -1 || error === -1 ? -1 : totalError + error;
    other += partial.other;
    for (const bucket of partial.buckets) {
      const id = `${typeof bucket.k}:${bucket.k}`;
      const known = merged.get(id);
      const entry = known ?? { key: bucket.k, count: 0, error: 0, children: [] };
      if (known === undefined) merged.set(id, entry);
      entry.count += bucket.n;
      // The error of a term is the sum over the shards that do not list it: `totalError` is added
      // below, and the share of each shard that lists the term is subtracted here.
      entry.error += (bucket.e ?? 0) - error;
      entry.children.push(bucket.c);
    }
  }
  const rule = {
    partials: ({ children }: MergedTerm) => children,
    build: ({ key, count, error }: MergedTerm, children: Plain[]) => ({
      key,
      count,
      error: totalError === -1 ? -1 : error + totalError,
      children,
    }),
  };
  const reduced = yield* reduceBuckets(tree, merged.values(), rule, context);
  const kept = context.isFinal ? reduced.filter(({ count }) => count >= spec.minDocCount) : reduced;
  kept.sort(reducedComparator(spec.order, tree));
  const limit = context.isFinal
    ? spec.size
    : Math.max(spec.size, mapped[0]?.shardSize ?? spec.size);
  const best = kept.slice(0, limit);
  for (const { count } of kept.slice(limit)) other += count;
  if (context.isFinal) context.addBuckets(best.length);
  const kind = mapped[0]?.kind ?? "unmapped";
  const format = mapped.find((one) => one.format !== RAW)?.format ?? RAW;
  const piped = context.isFinal
    ? yield* applyParentPipelines(
        tree,
        best.map((bucket) => ({ ...bucket, keyText: keyTextOf(bucket.key, { kind, format }) })),
        context,
      )
    : best;
  return {
    kind,
    format,
    other,
    error: totalError === -1 ? -1 : all.length === 1 ? 0 : totalError,
    shardSize: mapped[0]?.shardSize ?? spec.size,
    buckets: piped.map(({ key, count, error, children }) => ({
      k: key,
      n: count,
      c: children,
      e: all.length === 1 && totalError !== -1 ? 0 : error,
    })),
  };
}

/** The key of a bucket as text, in its format; the keys of a tuple are joined by `|`. */
export function keyTextOf(
  key: BucketKey,
  { kind, format }: Pick<TermsPartial, "kind" | "format">,
): string {
  if (typeof key === "string") return format.startsWith("tuple") ? tupleText(key, format) : key;
  const text = formatNumber(Number(key), format);
  return text ?? (kind === "double" ? javaDouble(Number(key)) : String(key));
}

/**
 * Most documents of an unlisted term on the partial's shard; 0 if the list is complete or ordered
 * by key; -1 if the order says nothing about counts.
 */
function errorOf(partial: TermsPartial, order: readonly OrderKey[]): number {
  const { buckets } = partial;
  if (buckets.length === 0 || buckets.length < partial.shardSize || isKeyOrder(order)) return 0;
  if (!isCountDescending(order)) return -1;
  return partial.error > 0 ? partial.error : (buckets.at(-1)?.n ?? 0);
}

/**
 * The members of a `terms` aggregation in the response; buckets are rendered while they are
 * printed.
 */
export function renderTerms(
  spec: TermsSpec,
  partial: TermsPartial,
  options: RenderOptions,
): { [key: string]: Printable } {
  return {
    doc_count_error_upper_bound: partial.error,
    sum_other_doc_count: partial.other,
    buckets: lazyItems(partial.buckets, (bucket) => ({
      ...renderKey(bucket.k, partial),
      doc_count: bucket.n,
      ...(spec.showsError ? { doc_count_error_upper_bound: bucket.e ?? 0 } : {}),
      ...renderChildren(spec.head.children, bucket.c, options),
    })),
  };
}

/** The keys of a tuple, joined as `key_as_string` of `multi_terms`. */
function tupleText(key: string, format: ValueFormat): string {
  const shapes = JSON.parse(format.slice(5)) as TupleShapes;
  return decodeTuple(key)
    .map((part, i) => keyText(part, shapes[i]?.kind ?? "string", shapes[i]?.format ?? RAW))
    .join("|");
}

/** Key members of a `multi_terms` bucket. Dates print in their format; other values as they are. */
function renderTuple(key: string, format: ValueFormat): { [key: string]: Printable } {
  const shapes = JSON.parse(format.slice(5)) as TupleShapes;
  const parts = decodeTuple(key).map((part, i): Printable => {
    const shape = shapes[i] ?? { kind: "string", format: RAW };
    return shape.format.startsWith("date|")
      ? keyText(part, shape.kind, shape.format)
      : printKey(part, shape.kind, shape.format);
  });
  return { key: parts, key_as_string: tupleText(key, format) };
}

/** Key members of a bucket. */
function renderKey(key: BucketKey, { kind, format }: TermsPartial): { [key: string]: Printable } {
  if (typeof key === "string" && format.startsWith("tuple")) return renderTuple(key, format);
  if (typeof key === "string")
    return {
      key: format === "ip" ? formatIp(Uint8Array.from(key, (char) => char.charCodeAt(0))) : key,
    };
  if (kind === "string") return { key };
  const text = formatNumber(Number(key), format);
  if (kind === "double")
    return text === undefined
      ? { key: double(Number(key)) }
      : { key: double(Number(key)), key_as_string: text };
  return text === undefined ? { key } : { key, key_as_string: text };
}
