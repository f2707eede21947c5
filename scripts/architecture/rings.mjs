/** Rings of packages: the picture and the table of docs/ARCHITECTURE.md, from rings.yaml and the packages' declared dependencies. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");

/** Rings, the innermost first. */
export const rings = parse(readFileSync(join(import.meta.dirname, "rings.yaml"), "utf8"));

const WIDTH = 104;

/** Nested boxes, one for each ring; an outer box contains the inner ones. */
export function ringPicture() {
  const boxes = rings.reduce((inside, ring, i) => {
    const width = WIDTH - 4 * (rings.length - 1 - i);
    const text = wrapped(Object.keys(ring.packages), width - 4);
    const line = (content) => `│ ${content.padEnd(width - 4)} │`;
    return [
      `┌─ ${ring.ring} ${"─".repeat(width - 5 - ring.ring.length)}┐`,
      ...text.map(line),
      ...inside.map(line),
      `└${"─".repeat(width - 2)}┘`,
    ];
  }, []);
  return ["```text", ...boxes, "```"].join("\n");
}

function wrapped(names, width) {
  const lines = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || `${last}  ${name}`.length > width) lines.push(name);
    else lines[lines.length - 1] = `${last}  ${name}`;
  }
  return lines;
}

/** One row for each package: its sentence, and the packages that it declares besides `stdx`. */
export function packageTable() {
  const rows = rings.flatMap(({ ring, rule, packages }) => [
    `| **${ring}** | *${rule}* | |`,
    ...Object.entries(packages).map(([name, sentence]) => {
      const others = declared(name).filter((other) => other !== "stdx");
      return `| \`${name}\` | ${sentence} | ${others.join(", ")} |`;
    }),
  ]);
  return ["| Package | What it is | Imports, besides stdx |", "| --- | --- | --- |", ...rows].join(
    "\n",
  );
}

function declared(name) {
  const file = join(root, "packages", name, "package.json");
  const { dependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
  return Object.keys(dependencies).flatMap((id) => (id.startsWith("@orrery/") ? id.slice(8) : []));
}
