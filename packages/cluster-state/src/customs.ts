/** Sections of the metadata that one feature owns each: templates, repositories, tombstones, weights, … */
import type { Json } from "@orrery/stdx";
import type { ClusterState } from "./types.ts";

/** The section as its owner put it; `undefined` while it never did. */
export function customOf(state: ClusterState, section: string): Json | undefined {
  return state.metadata.customs.get(section);
}

/** `undefined` removes the section. */
export function withCustom(
  state: ClusterState,
  section: string,
  value: Json | undefined,
): ClusterState {
  const customs = new Map(state.metadata.customs);
  if (value === undefined) customs.delete(section);
  else customs.set(section, value);
  return { ...state, metadata: { ...state.metadata, customs } };
}
