/** `indices.get_field_mapping`: mappings of single fields, with `include_defaults` also default values. */
import { indicesOptions, type IndexMetadata } from "@orrery/cluster-state";
import { createMapping, describeFields, jsonText, type SearchLanguage } from "@orrery/query";
import { raw, type PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, onDemand, splitNames } from "../../parameters.ts";
import { expressionsOf, targetsOf } from "../../state-reading.ts";

export const indicesGetFieldMapping: Operation = defineOperation({
  group: "indices.get_field_mapping",
  permission: "indices:admin/mappings/fields/get",
  routes: ["GET /_mapping/field/{fields}", "GET /{index}/_mapping/field/{fields}"],
  query: { ...indexTargets, include_defaults: flag(false), local: onDemand(flag()) },
  deviations: [],

  async handle({ path, query, request }, cluster) {
    if (query.local !== undefined) {
      request.warn(
        "Use [local] in get field mapping requests is deprecated. The parameter will be removed in the next major version",
      );
    }
    const state = cluster.state();
    const targets = targetsOf(
      state,
      expressionsOf(path["index"]),
      indicesOptions.strictExpandOpen,
      {
        query,
        nowMs: cluster.clock.nowMs(),
      },
    ).filter(({ metadata }) => metadata.state === "open");
    const fields = splitNames(path["fields"] ?? "");
    const entries = targets.map(({ name, metadata }) => [
      name,
      {
        mappings: describe(cluster.product.language, metadata, {
          fields,
          isWithDefaults: query.include_defaults,
        }),
      },
    ]);
    return { status: entries.length === 0 ? 404 : 200, body: Object.fromEntries(entries) };
  },
});

function describe(
  language: SearchLanguage,
  index: IndexMetadata,
  {
    fields,
    isWithDefaults,
  }: { readonly fields: readonly string[]; readonly isWithDefaults: boolean },
): PrintableObject {
  const mapping = createMapping(language, index.mapping, index.settings);
  const described = describeFields(mapping, fields, isWithDefaults);
  const entries = Object.entries(described).map(([name, field]) => [
    name,
    { full_name: field.full_name, mapping: raw(jsonText(field.mapping)) },
  ]);
  return Object.fromEntries(entries) as PrintableObject;
}
