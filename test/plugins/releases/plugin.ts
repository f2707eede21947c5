/** A sample plugin: a field type for release numbers, a query for compatible ones, and an aggregation of the span they cover. */
import type { Plugin } from "@orrery/node";
import { releaseSpan } from "./aggregation.ts";
import { releaseType } from "./field-type.ts";
import { parseCompatible } from "./query.ts";

export const releases: Plugin = {
  name: "opensearch-releases",
  description:
    "Release numbers: field type [release], query [compatible], aggregation [release_span]",
  classname: "org.orrery.releases.ReleasesPlugin",
  language: {
    fieldTypes: { release: releaseType },
    queries: { compatible: parseCompatible },
    aggregations: { release_span: releaseSpan },
  },
};
