/** The targets by their names. */
import type { Target } from "../target.ts";
import { http } from "./http.ts";
import { scenario } from "./scenario.ts";

export type TargetName = "http" | "scenario";

/** The type demands a row for each name. */
export const targets: { readonly [Name in TargetName]: Target } = {
  http,
  scenario,
};

export const targetNames: readonly TargetName[] = Object.keys(targets) as TargetName[];
