/** Custom sections of the metadata (`Metadata.Custom`), each owned by one feature: templates, repositories, tombstones, weights, … */
import type { Json } from "@orrery/stdx";
import type { ClusterState } from "./types.ts";

/** The custom section of this name, in the form in which its owner stored it; undefined when the state has none. */
export function customOf(state: ClusterState, section: string): Json | undefined {
  return state.metadata.customs.get(section);
}

/** The state with the section replaced; `undefined` removes it. */
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
