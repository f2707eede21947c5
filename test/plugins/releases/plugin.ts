/** A sample plugin: a field type for release numbers with a part of segments, a query, and an aggregation of the span they cover. */
import type { Plugin } from "@orrery/node";
import { presentText, stringOf, textOf, type FieldType } from "@orrery/query/extension";
import { releaseSpan } from "./aggregation.ts";
import { parseCompatible } from "./query.ts";
import { decodeRelease, encodeRelease, spanPart } from "./release.ts";

const kept = { index: "docs", norms: false, docValues: true, points: false } as const;

/** Terms that sort as releases do, `1.9.0` before `1.10.0`, and the span of each document beside them. */
const release: FieldType = {
  parameters: {},
  sortsAs: "text",
  compile: ({ name }) => {
    const spec = { ...kept, name, type: "keyword", parts: [spanPart.kind] };
    const encode = (value: Parameters<typeof textOf>[0]): Uint8Array =>
      encodeRelease(textOf(value));
    return {
      spec,
      values: { kind: "terms", isBinary: true, encode, decode: decodeRelease },
      index: (value, sink) => sink.add(spec, encodeRelease(stringOf(value, sink))),
      present: presentText,
      hasConstantTermScore: true,
      isIndexed: true,
      hasDocValues: true,
    };
  },
};

const name = "opensearch-releases";
const language = {
  fieldTypes: { release },
  queries: { compatible: parseCompatible },
  aggregations: { release_span: releaseSpan },
};

export const releases: Plugin = {
  name,
  description:
    "Release numbers: field type [release], query [compatible], aggregation [release_span]",
  classname: "org.orrery.releases.ReleasesPlugin",
  shards: { name, language, segmentParts: [spanPart] },
};
