/** Templates that match a new index, and overlaps between templates (`MetadataIndexTemplateService.findV2Template`, `findV1Templates`). */
import { inHashOrder, matchesGlob, type Problem } from "@orrery/stdx";
import type { ClusterState, Settings } from "../types.ts";
import { componentTemplatesOf, indexTemplatesOf, legacyTemplatesOf } from "./sections.ts";
import type { IndexTemplate, LegacyTemplate } from "./sections.ts";

/** Whether the pattern matches every name. */
export const matchAll = (pattern: string): boolean => pattern === "*";

/**
 * Name of the matching composable template with the highest priority; undefined when none matches. Templates with the
 * pattern `*` do not match hidden indices.
 */
export function findIndexTemplate(
  state: ClusterState,
  name: string,
  isHidden: boolean,
): string | undefined {
  let best: string | undefined;
  let priority = -1;
  for (const [template, { index_patterns: patterns, ...rest }] of indexTemplatesOf(state)) {
    if (isHidden && patterns.some(matchAll)) continue;
    if (!patterns.some((pattern) => matchesGlob(pattern, name))) continue;
    if ((rest.priority ?? 0) <= priority) continue;
    best = template;
    priority = rest.priority ?? 0;
  }
  return best;
}

/**
 * Matching legacy templates by name, highest order first. `isHidden`: whether the request makes the index hidden;
 * undefined when it does not say, and a template may decide.
 */
export function findLegacyTemplates(
  state: ClusterState,
  name: string,
  isHidden: boolean | undefined,
): readonly (readonly [string, LegacyTemplate])[] {
  const matching = [...legacyTemplatesOf(state)].filter(([, { index_patterns: patterns }]) =>
    patterns.some((pattern) => matchesGlob(pattern, name)),
  );
  const isGlobal = ([, template]: readonly [string, LegacyTemplate]): boolean =>
    template.index_patterns.some(matchAll);
  const sorted = matching
    .filter((entry) => isHidden !== true || !isGlobal(entry))
    .toSorted(([, a], [, b]) => b.order - a.order);
  if (isHidden !== undefined) return sorted;
  const deciding = sorted.find(([, { settings }]) => settings["index.hidden"] !== undefined);
  const isMadeHidden = deciding?.[1].settings["index.hidden"] === "true";
  return isMadeHidden ? sorted.filter((entry) => !isGlobal(entry)) : sorted;
}

/** Whether some name matches both lists of patterns, by the product's approximation: stars are tried as empty only. */
function areOverlapping(a: readonly string[], b: readonly string[]): boolean {
  const covers = (patterns: readonly string[], other: string): boolean =>
    patterns.some((pattern) => matchesGlob(pattern, other.replaceAll("*", "")));
  return b.some((pattern) => covers(a, pattern)) || a.some((pattern) => covers(b, pattern));
}

/**
 * The patterns of the templates that overlap with another one, by name of the template, in the order in which the
 * product lists them.
 */
export type Overlaps = ReadonlyMap<string, readonly string[]>;

function overlapsIn(
  templates: ReadonlyMap<string, { readonly index_patterns: readonly string[] }>,
  patterns: readonly string[],
): Overlaps {
  const found = new Map<string, readonly string[]>();
  for (const name of inHashOrder([...templates.keys()])) {
    const existing = templates.get(name)?.index_patterns ?? [];
    if (areOverlapping(existing, patterns)) found.set(name, existing);
  }
  return found;
}

/** Legacy templates whose patterns overlap with these. */
export function overlappingLegacyTemplates(
  state: ClusterState,
  patterns: readonly string[],
): Overlaps {
  return overlapsIn(legacyTemplatesOf(state), patterns);
}

/**
 * The composable templates whose patterns overlap with the given ones, except the template of this name. With
 * `priority`, only templates of that priority.
 */
export function overlappingIndexTemplates(
  state: ClusterState,
  patterns: readonly string[],
  { except, priority }: { readonly except?: string; readonly priority?: number } = {},
): Overlaps {
  const templates = indexTemplatesOf(state);
  const candidates = new Map(
    [...templates].filter(
      ([name, template]) =>
        name !== except && (priority === undefined || (template.priority ?? 0) === priority),
    ),
  );
  return overlapsIn(candidates, patterns);
}

/** Overlaps as messages print them: `t1,t2` and `t1 => [a*],t2 => [b*]`. */
export function describeOverlaps(overlaps: Overlaps): {
  readonly names: string;
  readonly patterns: string;
} {
  return {
    names: [...overlaps.keys()].join(","),
    patterns: [...overlaps]
      .map(([name, patterns]) => `${name} => [${patterns.join(", ")}]`)
      .join(","),
  };
}

export function templateMissing(name: string): Problem {
  return {
    type: "index_template_missing_exception",
    reason: `index_template [${name}] missing`,
    status: 404,
  };
}

/** Settings of a composable template: components in their order, then its own; later ones take precedence. */
export function settingsOfIndexTemplate(state: ClusterState, template: IndexTemplate): Settings {
  const components = componentTemplatesOf(state);
  const parts = (template.composed_of ?? []).map((name) => components.get(name)?.template.settings);
  const all = [...parts, template.template?.settings];
  return Object.fromEntries(all.flatMap((part) => Object.entries(part ?? {})));
}
