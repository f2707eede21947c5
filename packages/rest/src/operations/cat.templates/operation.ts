/** `cat.templates`: legacy templates, then composable ones. */
import { indexTemplatesOf, legacyTemplatesOf } from "@orrery/cluster-state";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";
import { legacyTemplatesNamed } from "../../templates/find.ts";

interface Row {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly order: number;
  readonly version: number | undefined;
  /** Component templates of a composable template; `undefined` for a legacy one. */
  readonly parts?: readonly string[];
}

const query = { ...managerTimeout, local: flag(false) };

export const catTemplates: Operation = defineCat<typeof query, Row>({
  group: "cat.templates",
  permission: "cluster:monitor/state",
  routes: ["GET /_cat/templates", "GET /_cat/templates/{name}"],
  query,
  deviations: [],
  columns: [
    column("name", ({ name }) => name, { aliases: "n", description: "template name" }),
    column("index_patterns", ({ patterns }) => listText(patterns), {
      aliases: "t",
      description: "template index patterns",
    }),
    column("order", ({ order }) => order, {
      aliases: "o,p",
      description: "template application order/priority number",
    }),
    column("version", ({ version }) => version, { aliases: "v", description: "version" }),
    column("composed_of", ({ parts }) => (parts === undefined ? "" : listText(parts)), {
      aliases: "c",
      description: "component templates comprising index template",
    }),
  ],

  async rows({ path, query: parameters }, cluster) {
    const state = await readState(cluster, parameters);
    const names = path["name"] === undefined ? [] : [path["name"]];
    const legacy = legacyTemplatesNamed(legacyTemplatesOf(state), names);
    const composable = legacyTemplatesNamed(indexTemplatesOf(state), names);
    return [
      ...legacy.map(([name, { index_patterns: patterns, order, version }]) => ({
        name,
        patterns,
        order,
        version,
      })),
      ...composable.map(([name, template]) => ({
        name,
        patterns: template.index_patterns,
        order: template.priority ?? 0,
        version: template.version,
        parts: template.composed_of ?? [],
      })),
    ];
  },
});

function listText(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}
