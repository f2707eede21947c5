/** `cat.templates`: index templates. None can be stored yet, so the table has no rows. */
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";

interface Row {
  readonly name: string;
}

const query = { ...managerTimeout, local: flag(false) };

export const catTemplates: Operation = defineCat<typeof query, Row>({
  group: "cat.templates",
  routes: ["GET /_cat/templates", "GET /_cat/templates/{name}"],
  query,
  deviations: [{ kind: "behaviour", name: "rows", reason: "templates are not supported yet" }],
  columns: [
    column("name", ({ name }) => name, { aliases: "n", description: "template name" }),
    column("index_patterns", () => undefined, {
      aliases: "t",
      description: "template index patterns",
    }),
    column("order", () => undefined, {
      aliases: "o,p",
      description: "template application order/priority number",
    }),
    column("version", () => undefined, { aliases: "v", description: "version" }),
    column("composed_of", () => undefined, {
      aliases: "c",
      description: "component templates comprising index template",
    }),
  ],
  rows: () => [],
});
