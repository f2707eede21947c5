/**
 * Simulation of templates: the settings, mapping and aliases that an index would get. Source:
 * `TransportSimulateIndexTemplateAction`, `TransportSimulateTemplateAction`.
 */
import {
  aliasesOfIndexTemplate,
  indexTemplatesOf,
  mappingsOfIndexTemplate,
  overlappingIndexTemplates,
  overlappingLegacyTemplates,
  settingsOfIndexTemplate,
  type AliasMetadata,
  type ClusterState,
  type IndexTemplate,
} from "@orrery/cluster-state";
import type { Product } from "@orrery/node";
import { checkAliasFilter, composeMappings, type SearchLanguage } from "@orrery/query";
import { inHashOrder, newUuid, type Random } from "@orrery/stdx";
import type { PrintableObject } from "../json/printable.ts";
import { checkIndexTemplate, stateWith } from "./check.ts";
import { templateJson } from "./print.ts";

/** The state as if the template had been stored, after the same validation. */
export function withSimulated(
  state: ClusterState,
  name: string,
  { template, create }: { readonly template: IndexTemplate; readonly create: boolean },
  { rules, language }: Pick<Product, "rules" | "language">,
): ClusterState {
  const next = stateWith(state, { kind: "put-index-template", name, create, template }, rules);
  checkIndexTemplate(language, next, { name, template });
  return next;
}

/** A random name with this prefix, which no stored template has. */
export function randomName(prefix: string, random: Random): string {
  return `${prefix}${newUuid(random).toLowerCase()}`;
}

/**
 * Settings, mapping and aliases that the template `name` gives to an index of the name `index`, and the templates that
 * overlap with it; empty without such a template.
 */
export function simulation(
  language: SearchLanguage,
  state: ClusterState,
  { name, index }: { readonly name: string; readonly index: string },
): PrintableObject {
  const template = indexTemplatesOf(state).get(name);
  if (template === undefined) return {};
  const settings = settingsOfIndexTemplate(state, template);
  const mappings = composeMappings(
    language,
    mappingsOfIndexTemplate(state, template, index.startsWith(".ds-")),
    settings,
  );
  const aliases = new Map<string, AliasMetadata>();
  for (const part of aliasesOfIndexTemplate(state, template)) {
    for (const [alias, metadata] of Object.entries(part)) {
      const shown = alias.replaceAll("{index}", index);
      checkAliasFilter(language, shown, metadata.filter);
      if (!aliases.has(shown)) aliases.set(shown, metadata);
    }
  }
  const resolved = {
    settings,
    ...(Object.keys(mappings).length === 0 ? {} : { mappings }),
    aliases: Object.fromEntries(aliases),
  };
  return {
    template: templateJson(resolved, false),
    overlapping: overlappingJson(state, name, template),
  };
}

function overlappingJson(
  state: ClusterState,
  name: string,
  { index_patterns: patterns }: IndexTemplate,
): readonly PrintableObject[] {
  const overlaps = new Map([
    ...overlappingLegacyTemplates(state, patterns),
    ...overlappingIndexTemplates(state, patterns, { except: name }),
  ]);
  return inHashOrder([...overlaps.keys()]).map((one) => ({
    name: one,
    index_patterns: overlaps.get(one),
  }));
}
