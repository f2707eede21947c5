/**
 * Definitions of ingest pipelines, by their ids, as JSON text: their numbers keep their digits, and what they mean is `ingest`'s to say.
 * Source: `IngestMetadata`.
 */
import type { Json } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import type { ClusterState } from "./types.ts";

/** By the product's name. */
export const ingestSection = "ingest";

type Pipelines = ReadonlyMap<string, string>;

const none: Pipelines = new Map();

const read = new WeakMap<object, Pipelines>();

/** In the order in which they were first put; the same map as long as nothing changes. A section that was used once stays, empty. */
export function ingestPipelinesOf(state: ClusterState): Pipelines {
  const list = customOf(state, ingestSection);
  if (!Array.isArray(list)) return none;
  const known = read.get(list);
  if (known !== undefined) return known;
  const pipelines = new Map<string, string>();
  // A section may come from a repository that somebody else wrote.
  for (const entry of list as readonly unknown[]) {
    const [id, definition] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof id === "string" && typeof definition === "string") pipelines.set(id, definition);
  }
  read.set(list, pipelines);
  return pipelines;
}

export function withIngestPipelines(state: ClusterState, pipelines: Pipelines): ClusterState {
  return withCustom(state, ingestSection, [...pipelines] as Json);
}
