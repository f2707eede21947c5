/** Table of targets by name. */
import type { Target } from "../target.ts";
import { disk } from "./disk.ts";
import { http } from "./http.ts";
import { metamorphic } from "./metamorphic.ts";
import { repository } from "./repository.ts";
import { scenario } from "./scenario.ts";
import { transport } from "./transport.ts";

export type TargetName = "http" | "scenario" | "disk" | "repository" | "transport" | "metamorphic";

/** The targets by name. */
export const targets: { readonly [Name in TargetName]: Target } = {
  http,
  scenario,
  disk,
  repository,
  transport,
  metamorphic,
};

export const targetNames: readonly TargetName[] = Object.keys(targets) as TargetName[];
