/** JSON of templates, for responses and the cluster state. */
import type {
  ComponentTemplate,
  IndexTemplate,
  LegacyTemplate,
  Template,
} from "@orrery/cluster-state";
import { settingsJson } from "../settings-json.ts";
import { aliasJson } from "../indices/alias-metadata.ts";
import type { PrintableObject } from "../json/printable.ts";

export function templateJson(template: Template, isFlat: boolean): PrintableObject {
  const { settings, mappings, aliases } = template;
  return {
    settings: settings === undefined ? undefined : settingsJson(settings, isFlat),
    mappings: mappings,
    aliases: aliases === undefined ? undefined : aliasesOfTemplate(aliases),
  };
}

function aliasesOfTemplate(aliases: NonNullable<Template["aliases"]>): PrintableObject {
  return Object.fromEntries(
    Object.entries(aliases).map(([name, metadata]) => [name, aliasJson(metadata)]),
  );
}

export function componentTemplateJson(
  { template, version, _meta: meta }: ComponentTemplate,
  isFlat: boolean,
): PrintableObject {
  return { template: templateJson(template, isFlat), version, _meta: meta };
}

export function indexTemplateJson(index: IndexTemplate, isFlat: boolean): PrintableObject {
  const { template } = index;
  return {
    index_patterns: index.index_patterns,
    template: template === undefined ? undefined : templateJson(template, isFlat),
    composed_of: index.composed_of,
    priority: index.priority,
    version: index.version,
    _meta: index._meta,
    data_stream: index.data_stream,
  };
}

export function legacyTemplateJson(template: LegacyTemplate, isFlat: boolean): PrintableObject {
  return {
    order: template.order,
    version: template.version,
    index_patterns: template.index_patterns,
    ...templateJson(template, isFlat),
  };
}
