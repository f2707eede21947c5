/** Writes docs/deviations.md from the operations' own rows: node --conditions=source scripts/reference.mjs */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../packages/rest/src/operations/table.ts";

const rows = Object.values(operations).flatMap(({ group, deviations }) =>
  deviations.map(({ kind, name, reason, isLeniency }) => {
    const cells = [group, kind, name, reason, isLeniency === true ? "yes" : ""];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  }),
);
const text = `# Deviations

Where an operation differs from the API description, or is more lenient than the product, and why. Made by
\`npm run reference\` from the operations' rows. \`-E orrery.strict=true\` turns every leniency off.

| Operation | Kind | What | Why | Leniency |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
writeFileSync(join(import.meta.dirname, "../docs/deviations.md"), text);
