/** What an answer carries of a `_source`, as a shard is told. */
import type { WantedSource } from "@orrery/protocol";
import type { SourceFilter } from "./types.ts";

export function wantedSource(filter: SourceFilter): WantedSource {
  if (typeof filter === "boolean") return { none: !filter, includes: [], excludes: [] };
  return { none: false, includes: filter.includes, excludes: filter.excludes };
}
