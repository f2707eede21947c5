/** Adds or replaces a legacy template, of the kind that is merged by order (`MetadataIndexTemplateService.putTemplate`). */
import { illegalArgument } from "@orrery/stdx";
import { validateKeys } from "../settings/validate.ts";
import {
  isSameTemplate,
  legacyTemplatesOf,
  withLegacyTemplates,
  type LegacyTemplate,
} from "../templates/sections.ts";
import { templateProblem } from "../templates/validate.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface PutLegacyTemplate {
  readonly kind: "put-legacy-template";
  readonly name: string;
  /** Whether an existing template of the name is an error. */
  readonly create: boolean;
  readonly template: LegacyTemplate;
}

/**
 * Stores a legacy template. Rejected for an invalid name, invalid settings, patterns or aliases, and when the template
 * exists and `create` is set.
 */
export function putLegacyTemplate(
  state: ClusterState,
  { name, create, template }: PutLegacyTemplate,
  rules: Rules,
): Outcome {
  const { index_patterns: patterns, settings, aliases } = template;
  const problem =
    validateKeys(rules.settings.index, settings, { isCreate: true }) ??
    templateProblem({ name, patterns, settings, aliases, state, rules });
  if (problem !== undefined) return rejected(problem);
  const templates = legacyTemplatesOf(state);
  const existing = templates.get(name);
  if (create && existing !== undefined) {
    return rejected(illegalArgument(`index_template [${name}] already exists`).problem);
  }
  if (existing !== undefined && isSameTemplate(existing, template)) return unchanged;
  return updated(withLegacyTemplates(state, new Map(templates).set(name, template)));
}
