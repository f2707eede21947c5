/** Which templates a new index gets. Source: `MetadataIndexTemplateService.findV2Template` and `findV1Templates`. */
import { inHashOrder, matchesGlob, type Problem } from "@orrery/stdx";
import type { ClusterState, Settings } from "../types.ts";
import { componentTemplatesOf, indexTemplatesOf, legacyTemplatesOf } from "./sections.ts";
import type { IndexTemplate, LegacyTemplate } from "./sections.ts";

export const matchAll = (pattern: string): boolean => pattern === "*";

/** The composable template of the highest priority; hidden indices are not matched by `*`. */
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

/** Highest order first. `isHidden` is undefined when the request does not say: then a template may. */
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

/** Whether two lists of patterns have a name in common, as far as the product looks: a star may stand for nothing. */
function areOverlapping(a: readonly string[], b: readonly string[]): boolean {
  const covers = (patterns: readonly string[], other: string): boolean =>
    patterns.some((pattern) => matchesGlob(pattern, other.replaceAll("*", "")));
  return b.some((pattern) => covers(a, pattern)) || a.some((pattern) => covers(b, pattern));
}

/** Names, in the product's order, with their patterns. */
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

export function overlappingLegacyTemplates(
  state: ClusterState,
  patterns: readonly string[],
): Overlaps {
  return overlapsIn(legacyTemplatesOf(state), patterns);
}

/** Others than the named one; with `priority`, only those that have the same. */
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

/** `t1,t2` and `t1 => [a*],t2 => [b*]`, as messages have them. */
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

/** Settings of all parts, later ones first in rank: components in their order, then the template's own. */
export function settingsOfIndexTemplate(state: ClusterState, template: IndexTemplate): Settings {
  const components = componentTemplatesOf(state);
  const parts = (template.composed_of ?? []).map((name) => components.get(name)?.template.settings);
  const all = [...parts, template.template?.settings];
  return Object.fromEntries(all.flatMap((part) => Object.entries(part ?? {})));
}
