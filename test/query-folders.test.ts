/**
 * The folders of `packages/query/src`, which import one another as the packages do: the table of docs/ARCHITECTURE.md is this one, each
 * row lists the folders that its files import, types included, and each folder stands below those that it imports.
 */
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./repository.ts";

const src = "packages/query/src";

const folders: Readonly<Record<string, readonly string[]>> = {
  work: [],
  json: ["work"],
  dates: [],
  automata: [],
  language: ["automata", "dates", "json", "work"],
  body: ["json", "language"],
  source: ["json", "work"],
  codec: ["json", "language", "work"],
  mapping: ["dates", "json", "language", "source"],
  expressions: ["dates", "json", "language"],
  execution: ["json", "language", "mapping", "work"],
  scripts: ["body", "execution", "json", "language", "mapping", "work"],
  queries: [
    ...["automata", "body", "dates", "execution", "json", "language", "mapping", "scripts"],
    "work",
  ],
  sorts: ["body", "dates", "execution", "json", "language", "mapping", "queries", "scripts"],
  suggest: ["body", "json", "language", "queries", "work"],
  rescore: ["body", "execution", "language", "queries"],
  aggregations: [
    ...["automata", "body", "codec", "dates", "execution", "json", "language", "mapping"],
    ...["queries", "scripts", "sorts", "source", "work"],
  ],
  highlight: ["body", "json", "language", "queries", "source", "work"],
  request: [
    ...["aggregations", "body", "execution", "highlight", "json", "language", "mapping"],
    ...["queries", "rescore", "scripts", "sorts", "source", "suggest", "work"],
  ],
  restrict: [
    ...["body", "execution", "language", "mapping", "queries", "request", "source", "work"],
  ],
  fetch: [
    ...["body", "codec", "dates", "execution", "highlight", "json", "language", "mapping"],
    ...["request", "scripts", "source", "work"],
  ],
  search: [
    ...["aggregations", "body", "execution", "fetch", "language", "queries", "request", "rescore"],
    ...["sorts", "suggest", "work"],
  ],
  reduce: ["aggregations", "json", "language", "request", "scripts", "sorts", "suggest"],
  core: [
    ...["aggregations", "expressions", "language", "mapping", "queries", "rescore", "sorts"],
    "suggest",
  ],
};

/** Files that offer to other packages what the folders have. No file imports them. */
const barrels = ["extension.ts", "index.ts"];

const files = filesBelow(src, ".ts").map((path) => posix.relative(src, path));

/** Imports in every form: of values and types, for effects, in expressions, and exports from elsewhere. */
const IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g;

describe.each(Object.entries(folders))("folder %s of query", (folder, allowed) => {
  test("imports the folders that the table allows, and no others", () => {
    expect(importedBy(folder)).toEqual(allowed);
  });

  test("stands below what it imports", () => {
    const order = Object.keys(folders);
    const above = new Set(order.slice(0, order.indexOf(folder)));
    expect(allowed.filter((other) => !above.has(other))).toEqual([]);
  });
});

test("every folder has a row, and every file a folder", () => {
  const found = new Set(files.map(folderOf));
  expect([...found].toSorted()).toEqual([...Object.keys(folders), ...barrels].toSorted());
});

test("the architecture page shows the table", () => {
  const page = read("docs/ARCHITECTURE.md");
  const section = page.slice(page.indexOf("## The folders of `query`"));
  const rows = section
    .slice(0, section.indexOf("\n## ", 1))
    .matchAll(/^\| `(.+)` \|.*\| (.+) \|$/gm);
  const shown = [...rows].map(([, folder = "", imports = ""]) => [
    folder,
    imports === "–" ? [] : imports.split(", "),
  ]);
  expect(shown).toEqual(Object.entries(folders));
});

/** The first part of a path below `src`: a folder, or a file that is in none. */
function folderOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function importedBy(folder: string): string[] {
  const imported = files
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) =>
      [...read(`${src}/${file}`).matchAll(IMPORT)].map(([, path = ""]) =>
        folderOf(posix.join(posix.dirname(file), path)),
      ),
    );
  return [...new Set(imported)].filter((other) => other !== folder).toSorted();
}
