/**
 * Adds or replaces a composable index template (`MetadataIndexTemplateService.addIndexTemplateV2`). The proposer has
 * checked that its mappings can be merged; reducers do not parse mappings.
 */
import { illegalArgument, type Problem } from "@orrery/stdx";
import { validateKeys } from "../settings/validate.ts";
import {
  describeOverlaps,
  matchAll,
  overlappingIndexTemplates,
  settingsOfIndexTemplate,
} from "../templates/find.ts";
import {
  componentTemplatesOf,
  indexTemplatesOf,
  isSameTemplate,
  withIndexTemplates,
  type IndexTemplate,
} from "../templates/sections.ts";
import { orphanedDataStreams } from "../templates/streams.ts";
import { invalidTemplate, templateProblem } from "../templates/validate.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface PutIndexTemplate {
  readonly kind: "put-index-template";
  readonly name: string;
  /** Whether an existing template of the name is an error. */
  readonly create: boolean;
  readonly template: IndexTemplate;
}

/**
 * Stores an index template. Rejected when it is invalid, exists although `create` is set, overlaps with another one of
 * the same priority, names a missing component template, or leaves a data stream without a template.
 */
export function putIndexTemplate(
  state: ClusterState,
  task: PutIndexTemplate,
  rules: Rules,
): Outcome {
  const { name, template } = task;
  const templates = indexTemplatesOf(state);
  const existing = templates.get(name);
  const problem =
    referenceProblem(state, task, rules) ??
    (task.create && existing !== undefined
      ? illegalArgument(`index template [${name}] already exists`).problem
      : undefined) ??
    overlapProblem(state, task);
  if (problem !== undefined) return rejected(problem);
  const normal = normalised(template);
  if (existing !== undefined && isSameTemplate(existing, normal)) return unchanged;
  const next = withIndexTemplates(state, new Map(templates).set(name, normal));
  const invalid =
    templateProblem({
      name,
      patterns: normal.index_patterns,
      settings: normal.template?.settings,
      aliases: normal.template?.aliases,
      state,
      rules,
    }) ?? orphanProblem(state, next, task);
  return invalid === undefined ? updated(next) : rejected(invalid);
}

/** The stored form: a template with parts of its own and without `composed_of` gets an empty list. */
function normalised(template: IndexTemplate): IndexTemplate {
  if (template.template === undefined || template.composed_of !== undefined) return template;
  return { ...template, composed_of: [] };
}

function referenceProblem(
  state: ClusterState,
  { name, template }: PutIndexTemplate,
  { settings }: Rules,
): Problem | undefined {
  const components = componentTemplatesOf(state);
  const missing = (template.composed_of ?? []).filter((part) => !components.has(part));
  const isGlobal = template.index_patterns.some(matchAll);
  if (isGlobal && settingsOfIndexTemplate(state, template)["index.hidden"] !== undefined) {
    return invalidTemplate(
      name,
      "global composable templates may not specify the setting index.hidden",
    );
  }
  if (missing.length > 0) {
    return invalidTemplate(
      name,
      `index template [${name}] specifies component templates [${missing.join(", ")}] that do not exist`,
    );
  }
  const keys = validateKeys(settings.index, template.template?.settings ?? {}, { isCreate: true });
  return keys?.type === "settings_exception" ? keys : undefined;
}

function overlapProblem(
  state: ClusterState,
  { name, template }: PutIndexTemplate,
): Problem | undefined {
  const priority = template.priority ?? 0;
  const patterns = template.index_patterns;
  const overlaps = overlappingIndexTemplates(state, patterns, { except: name, priority });
  if (overlaps.size === 0) return undefined;
  const existing = describeOverlaps(overlaps);
  return illegalArgument(
    `index template [${name}] has index patterns [${patterns.join(", ")}] matching patterns from existing templates [${existing.names}] with patterns (${existing.patterns}) that have the same priority [${priority}], multiple index templates may not match during index creation, please use a different priority`,
  ).problem;
}

function orphanProblem(
  before: ClusterState,
  after: ClusterState,
  { name, template }: PutIndexTemplate,
): Problem | undefined {
  const orphans = orphanedDataStreams(after);
  if (orphans.length <= orphanedDataStreams(before).length) return undefined;
  const kind = template.data_stream === undefined ? "and no data stream configuration " : "";
  return illegalArgument(
    `composable template [${name}] with index patterns [${template.index_patterns.join(", ")}], priority [${template.priority ?? "null"}] ${kind}would cause data streams [${orphans.join(", ")}] to no longer match a data stream template`,
  ).problem;
}
