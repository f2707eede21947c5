/** Adds or replaces a component template (`MetadataIndexTemplateService.addComponentTemplate`). */
import { illegalArgument, inHashOrder, type Problem } from "@orrery/stdx";
import { validateKeys } from "../settings/validate.ts";
import { matchAll } from "../templates/find.ts";
import {
  componentTemplatesOf,
  indexTemplatesOf,
  isSameTemplate,
  withComponentTemplates,
  type ComponentTemplate,
} from "../templates/sections.ts";
import { templateProblem } from "../templates/validate.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface PutComponentTemplate {
  readonly kind: "put-component-template";
  readonly name: string;
  /** Whether an existing template of the name is an error. */
  readonly create: boolean;
  readonly template: ComponentTemplate;
}

/**
 * Stores a component template. Rejected for invalid settings or aliases, when the template exists and `create` is set,
 * and when an index template for all indices would get `index.hidden` from it.
 */
export function putComponentTemplate(
  state: ClusterState,
  task: PutComponentTemplate,
  rules: Rules,
): Outcome {
  const templates = componentTemplatesOf(state);
  const existing = templates.get(task.name);
  const { settings, aliases } = task.template.template;
  const keys = validateKeys(rules.settings.index, settings ?? {}, { isCreate: true });
  if (keys !== undefined) return rejected(keys);
  if (task.create && existing !== undefined) {
    return rejected(illegalArgument(`component template [${task.name}] already exists`).problem);
  }
  const hidden = task.create ? undefined : hiddenProblem(state, task);
  if (hidden !== undefined) return rejected(hidden);
  if (existing !== undefined && isSameTemplate(existing, task.template)) return unchanged;
  const problem = templateProblem({
    name: task.name,
    patterns: [],
    settings,
    aliases,
    state,
    rules,
  });
  if (problem !== undefined) return rejected(problem);
  return updated(withComponentTemplates(state, new Map(templates).set(task.name, task.template)));
}

function hiddenProblem(state: ClusterState, task: PutComponentTemplate): Problem | undefined {
  if (task.template.template.settings?.["index.hidden"] === undefined) return undefined;
  const templates = indexTemplatesOf(state);
  const names = inHashOrder([...templates.keys()]).filter((name) => {
    const { composed_of: parts, index_patterns: patterns } = templates.get(name) ?? {};
    return parts?.includes(task.name) === true && patterns?.some(matchAll) === true;
  });
  if (names.length === 0) return undefined;
  return illegalArgument(
    `cannot update component template [${task.name}] because the following global templates would resolve to specifying the [index.hidden] setting: [${names.join(",")}]`,
  ).problem;
}
