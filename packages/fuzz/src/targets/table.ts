/** The targets by their names. */
import type { Target } from "../target.ts";
import { http } from "./http.ts";

export type TargetName = "http";

/** The type demands a row for each name. */
export const targets: { readonly [Name in TargetName]: Target } = {
  http,
};

export const targetNames: readonly TargetName[] = Object.keys(targets) as TargetName[];
