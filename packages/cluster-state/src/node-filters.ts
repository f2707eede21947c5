/** Allocation filters (`DiscoveryNodeFilters`): the settings `include`, `exclude` and `require`, and the nodes that match them. */
import { lookup, matchesGlob } from "@orrery/stdx";
import { settingGroup } from "./settings/registry.ts";
import { parseList } from "./settings/parse-value.ts";
import type { DiscoveryNode, Settings } from "./types.ts";

/** The three kinds of filters. */
export type FilterKind = "include" | "exclude" | "require";

/** Values of a filter by node attribute, in order of the settings. A value may contain `*`. */
export type NodeFilters = ReadonlyMap<string, readonly string[]>;

const read = new WeakMap<Settings, Map<string, NodeFilters | undefined>>();

/** The filters below `index.routing.allocation.include.` and the like; `undefined` when there are none. */
export function filtersOf(settings: Settings, prefix: string): NodeFilters | undefined {
  const known = read.get(settings);
  if (known?.has(prefix) === true) return known.get(prefix);
  const filters = readFilters(settings, prefix);
  read.set(settings, (known ?? new Map()).set(prefix, filters));
  return filters;
}

function readFilters(settings: Settings, prefix: string): NodeFilters | undefined {
  const group = Object.entries(settingGroup(settings, prefix));
  const filters = group
    .map(([attribute, value]) => [attribute, parseList(value)] as const)
    .filter(([, values]) => values.length > 0);
  return filters.length === 0 ? undefined : new Map(filters);
}

/** Whether the node matches: for `require` every value of every attribute, for the others any one of them. */
export function matchesFilters(
  filters: NodeFilters,
  node: DiscoveryNode,
  kind: FilterKind,
): boolean {
  const matches = [...filters].flatMap(([attribute, values]) =>
    values.map((value) => matchesAttribute(node, attribute, value)),
  );
  return kind === "require" ? matches.every(Boolean) : matches.some(Boolean);
}

function matchesAttribute(node: DiscoveryNode, attribute: string, value: string): boolean {
  switch (attribute) {
    case "_ip":
    case "_host_ip":
    case "_publish_ip":
      return matchesGlob(value, node.hostAddress);
    case "_host":
      return matchesGlob(value, node.hostName) || matchesGlob(value, node.hostAddress);
    case "_id":
      return node.id === value;
    case "_name":
    case "name":
      return matchesGlob(value, node.name);
    default: {
      const held = lookup(node.attributes, attribute);
      return held !== undefined && matchesGlob(value, held);
    }
  }
}

/** The filters in the product's words: `_name:"a OR b"`, with AND for `require`. */
export function describeFilters(filters: NodeFilters, kind: FilterKind): string {
  const operator = kind === "require" ? " AND " : " OR ";
  return [...filters]
    .map(([attribute, values]) => `${attribute}:"${values.join(operator)}"`)
    .join(",");
}
