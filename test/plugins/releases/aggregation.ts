/** `release_span`: the oldest and the newest release of a field. */
import {
  aggregatedField,
  defineMetric,
  Options,
  type Aggregation,
  type AggregationHead,
  type Cursor,
} from "@orrery/query/extension";
import { compareBytes } from "@orrery/stdx";
import { decodeRelease } from "./release.ts";

/** Oldest and newest; empty where no document has a release. */
type Span = readonly Uint8Array[];

export function releaseSpan(head: AggregationHead, at: Cursor): Aggregation {
  const values = new Options(at, "release_span", []).values();
  return defineMetric<Span>(head, {
    create: (context) => {
      const field = aggregatedField(context, values);
      const spans = new Map<number, Span>();
      return {
        open: ({ reader }) => ({
          collect: (docs, buckets, count) => {
            const column = reader.ordinals(field?.aliasOf ?? field?.name ?? "");
            for (let i = 0; i < count && column !== undefined; i += 1) {
              const doc = docs[i] as number;
              const bucket = buckets?.[i] ?? 0;
              const ords = column.ords.subarray(column.start(doc), column.end(doc));
              const terms = [...ords].map((ord) => column.dictionary.term(ord));
              if (column.has(doc))
                spans.set(bucket, spanOf([...(spans.get(bucket) ?? []), ...terms]));
            }
          },
        }),
        partial: (bucket) => spans.get(bucket) ?? [],
      };
    },
    reduce: (partials) => spanOf(partials.flat()),
    render: ([oldest, newest]) => ({ oldest: shown(oldest), newest: shown(newest) }),
  });
}

function spanOf(terms: Span): Span {
  const sorted = terms.toSorted(compareBytes);
  return [...sorted.slice(0, 1), ...sorted.slice(-1)];
}

function shown(term: Uint8Array | undefined): string | null {
  return term === undefined ? null : decodeRelease(term);
}
