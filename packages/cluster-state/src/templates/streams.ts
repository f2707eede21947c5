/** Which data streams need a template. Source: `MetadataIndexTemplateService.dataStreamsUsingTemplate`. */
import { dataStreamsOf } from "../data-streams.ts";
import type { ClusterState } from "../types.ts";
import { findIndexTemplate } from "./find.ts";
import { indexTemplatesOf } from "./sections.ts";

/** In order of names. */
export function dataStreamsUsing(state: ClusterState, template: string): readonly string[] {
  if (indexTemplatesOf(state).get(template)?.data_stream === undefined) return [];
  return [...dataStreamsOf(state).keys()].filter(
    (name) => findIndexTemplate(state, name, false) === template,
  );
}

/** Streams whose names no template for data streams matches first. */
export function orphanedDataStreams(state: ClusterState): readonly string[] {
  const templates = indexTemplatesOf(state);
  return [...dataStreamsOf(state).keys()].filter((name) => {
    const template = findIndexTemplate(state, name, false);
    return template === undefined || templates.get(template)?.data_stream === undefined;
  });
}
