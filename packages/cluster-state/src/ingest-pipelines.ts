/**
 * Definitions of ingest pipelines by id (`IngestMetadata`), as JSON text, which keeps the digits of numbers. The package
 * `ingest` compiles them; this one does not interpret them.
 */
import type { Json } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import type { ClusterState } from "./types.ts";

/** Name of the custom section of ingest pipelines, as in the product. */
export const ingestSection = "ingest";

type Pipelines = ReadonlyMap<string, string>;

const none: Pipelines = new Map();

const read = new WeakMap<object, Pipelines>();

/** Definitions by pipeline id, in the order in which the ids were first added; the same map for the same section. */
export function ingestPipelinesOf(state: ClusterState): Pipelines {
  const list = customOf(state, ingestSection);
  if (!Array.isArray(list)) return none;
  const known = read.get(list);
  if (known !== undefined) return known;
  const pipelines = new Map<string, string>();
  // The section may have been restored from a repository, whose contents are not trusted.
  for (const entry of list as readonly unknown[]) {
    const [id, definition] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof id === "string" && typeof definition === "string") pipelines.set(id, definition);
  }
  read.set(list, pipelines);
  return pipelines;
}

/** The state with the pipelines replaced; without pipelines the section is empty, not absent. */
export function withIngestPipelines(state: ClusterState, pipelines: Pipelines): ClusterState {
  return withCustom(state, ingestSection, [...pipelines] as Json);
}
