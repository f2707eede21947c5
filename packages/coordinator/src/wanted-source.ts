/** The `_source` filter of a request in the form of the shard's message. */
import type { WantedSource } from "@orrery/protocol";
import type { SourceFilter } from "./types.ts";

/** The filter as a message; `true` and `false` are filters without patterns. */
export function wantedSource(filter: SourceFilter): WantedSource {
  if (typeof filter === "boolean") return { none: !filter, includes: [], excludes: [] };
  return { none: false, includes: filter.includes, excludes: filter.excludes };
}
