/** Dependence of data streams on templates (`MetadataIndexTemplateService.dataStreamsUsingTemplate`). */
import { dataStreamsOf } from "../data-streams.ts";
import type { ClusterState } from "../types.ts";
import { findIndexTemplate } from "./find.ts";
import { indexTemplatesOf } from "./sections.ts";

/** Data streams that the template matches with the highest priority, in order of names. */
export function dataStreamsUsing(state: ClusterState, template: string): readonly string[] {
  if (indexTemplatesOf(state).get(template)?.data_stream === undefined) return [];
  return [...dataStreamsOf(state).keys()].filter(
    (name) => findIndexTemplate(state, name, false) === template,
  );
}

/** Data streams whose best matching template is none, or not one for data streams. */
export function orphanedDataStreams(state: ClusterState): readonly string[] {
  const templates = indexTemplatesOf(state);
  return [...dataStreamsOf(state).keys()].filter((name) => {
    const template = findIndexTemplate(state, name, false);
    return template === undefined || templates.get(template)?.data_stream === undefined;
  });
}
