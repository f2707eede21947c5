/** Writes what is made from tables and sources: docs/deviations.md, docs/errors.md, docs/reference, the generated parts of docs/ARCHITECTURE.md, the scenarios' schema: node --conditions=source scripts/reference.mjs */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lab } from "../packages/cli/src/lab.ts";
import { operations } from "../packages/rest/src/operations/table.ts";
import { restReference } from "../packages/rest/src/reference.ts";
import { publishedSchema } from "../packages/scenario/src/published-schema.ts";
import { settingsReference } from "../packages/cluster-state/src/settings/reference.ts";
import { scenarioTypes } from "../packages/scenario/src/scenario-types.ts";
import { codeOf, faultReference, scenarioReference } from "../packages/scenario/src/reference.ts";
import { cliReference } from "../packages/cli/src/reference.ts";
import { manualPages } from "../packages/cli/src/manual.ts";
import { settingsSchema } from "../packages/cli/src/configuration/settings-schema.ts";
import { architecturePage } from "./architecture/page.mjs";
import { errorReference } from "./errors.mjs";

const all = [...operations, ...lab.product.plugins.flatMap((plugin) => plugin.operations ?? [])];
const rows = all.flatMap(({ group, deviations }) =>
  deviations.map(({ kind, name, reason, isLeniency }) => {
    const cells = [group, kind, name, reason, isLeniency === true ? "yes" : ""];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  }),
);
const text = `# Deviations

Differences of the REST operations from OpenSearch's API specification (*the description*), and leniencies: requests that are
accepted here and rejected by OpenSearch (*the product*). Made by \`npm run reference\` from the operations' rows.
\`-E orrery.strict=true\` turns every leniency off.

| Operation | Kind | What | Why | Leniency |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
writeFileSync(join(import.meta.dirname, "../docs/deviations.md"), text);

const write = (path, contents) => {
  const file = join(import.meta.dirname, "..", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
};
const architecture = readFileSync(join(import.meta.dirname, "../docs/ARCHITECTURE.md"), "utf8");
write("docs/ARCHITECTURE.md", await architecturePage(architecture));
write("docs/errors.md", errorReference());
write("docs/reference/cli.md", cliReference());
for (const [file, contents] of manualPages()) write(`packages/cli/man/${file}`, contents);
write(
  "packages/cli/schema/orrery.schema.json",
  `${JSON.stringify(settingsSchema(), undefined, 2)}\n`,
);
write("docs/reference/rest.md", restReference(all));
write("docs/reference/settings.md", settingsReference(lab.product.rules.settings));
write("docs/reference/faults.md", faultReference());
const example = readFileSync(
  join(import.meta.dirname, "../packages/scenario/test/example.ts"),
  "utf8",
);
write("docs/reference/scenario.md", scenarioReference(codeOf(example), lab.checkers));
write(
  "packages/scenario/schema/scenario.schema.json",
  `${JSON.stringify(publishedSchema(lab.checkers), undefined, 2)}\n`,
);
write("packages/scenario/src/generated/scenario.ts", scenarioTypes(lab.checkers));
