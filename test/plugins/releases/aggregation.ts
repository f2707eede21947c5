/** `release_span`: the oldest and the newest release of a field. */
import * as dsl from "@orrery/query/extension";
import { decodeRelease, spanOf, spanPart, type Span } from "./release.ts";

export function releaseSpan(head: dsl.AggregationHead, at: dsl.Cursor): dsl.Aggregation {
  const values = new dsl.Options(at, "release_span", []).values();
  return dsl.defineMetric<Span>(head, {
    create: (context) => {
      const field = dsl.aggregatedField(context, values);
      const spans = new Map<number, Span>();
      return {
        open: ({ reader }) => ({
          collect: (docs, buckets, count) => {
            const part = reader.part(spanPart, field?.aliasOf ?? field?.name ?? "");
            for (let i = 0; i < count && part !== undefined; i += 1) {
              const bucket = buckets?.[i] ?? 0;
              spans.set(bucket, spanOf([...(spans.get(bucket) ?? []), ...part(docs[i] ?? 0)]));
            }
          },
        }),
        partial: (bucket) => spans.get(bucket) ?? [],
      };
    },
    reduce: (partials) => spanOf(partials.flat()),
    render: (span) => {
      const [oldest = null, newest = null] = span.map(decodeRelease);
      return { oldest, newest };
    },
  });
}
