/**
 * The catalogue of errors, read from the sources: each place that makes a problem names its type, and most its status and words.
 * Writes docs/errors.md through `reference.mjs`; `test/docs.test.ts` sees that it is not old.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

const root = join(import.meta.dirname, "..");
const typeName = /^[a-z0-9_]+_exception$/;

export function errorReference() {
  const types = new Map();
  for (const path of globSync("packages/*/src/**/*.ts", { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, path), "utf8");
    if (!text.includes("_exception")) continue;
    for (const found of problemsIn(text)) {
      const known = types.get(found.type) ?? {
        statuses: new Set(),
        reasons: new Set(),
        packages: new Set(),
      };
      types.set(found.type, known);
      if (found.status !== undefined) known.statuses.add(found.status);
      if (found.reason !== undefined) known.reasons.add(found.reason);
      known.packages.add(path.split("/")[1]);
    }
  }
  return print(types);
}

/** Object literals with a `type` that names an exception, and calls that are given such a name and words. */
function problemsIn(text) {
  const tree = parseAst(text, { lang: "ts" });
  const words = new Map();
  const found = [];
  walk(tree, (node) => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) {
      const says = wordsOf(node.init, words);
      words.set(node.id.name, says);
    } else if (Array.isArray(node.params)) {
      for (const { name } of node.params) words.delete(name);
    } else if (node.type === "ObjectExpression") {
      const values = new Map(
        node.properties.flatMap(({ key, value }) =>
          key?.name === undefined ? [] : [[key.name, value]],
        ),
      );
      const type = nameOf(values.get("type"));
      if (type === undefined) return;
      const status = values.get("status");
      const reason = wordsOf(values.get("reason"), words);
      found.push({
        type,
        status: typeof status?.value === "number" ? status.value : undefined,
        reason,
      });
    } else if (node.type === "CallExpression" || node.type === "NewExpression") {
      const at = node.arguments.findIndex((argument) => nameOf(argument) !== undefined);
      const [given, next, last] = node.arguments.slice(at);
      // A comparison such as `includes` says nothing of an error that is made.
      if (at < 0 || next === undefined) return;
      const status = [next, last].find((argument) => typeof argument?.value === "number")?.value;
      found.push({ type: nameOf(given), status, reason: wordsOf(next, words) });
    }
  });
  return found;
}

function nameOf(node) {
  return typeof node?.value === "string" && typeName.test(node.value) ? node.value : undefined;
}

/** What a reader sees, with what is put in as `[…]`. */
function wordsOf(node, words) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" && !typeName.test(node.value) ? node.value : undefined;
    case "TemplateLiteral":
      return node.quasis.map(({ value }) => value.cooked).join("…");
    case "Identifier":
      return words.get(node.name);
    default:
      return undefined;
  }
}

function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((one) => walk(one, visit));
  if (typeof node !== "object" || node === null || typeof node.type !== "string") return;
  visit(node);
  for (const value of Object.values(node)) if (typeof value === "object") walk(value, visit);
}

function print(types) {
  const sections = [...types].toSorted(([a], [b]) => byText(a, b)).map(printType);
  return `# Errors

Every type of error that a node makes, with its status and its words; \`…\` stands for a value. Made by \`npm run reference\` from the
sources. In an answer they stand as the product has them: \`{"error":{"root_cause":[…],"type":…,"reason":…},"status":…}\`.
There are ${types.size} types.

${sections.join("\n")}`;
}

function printType([type, { statuses, reasons, packages }]) {
  const listed = [...statuses].toSorted((a, b) => a - b).join(", ");
  const status = listed === "" ? "Status of what caused it" : `Status ${listed}`;
  const head = `## ${type}\n\n${status}; made in ${[...packages].toSorted(byText).join(", ")}.\n`;
  const said = [...reasons].toSorted(byText).map((reason) => `- ${code(reason)}\n`);
  return said.length === 0 ? head : `${head}\n${said.join("")}`;
}

function code(text) {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** The same order everywhere. */
function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}
