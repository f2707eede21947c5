/** Links, paths and npm scripts of the documents exist, generated pages are up to date, and every invariant is listed and cited. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { lab } from "../packages/cli/src/lab.ts";
import { cliReference } from "../packages/cli/src/reference.ts";
import type { Operation } from "../packages/rest/src/operation.ts";
import { operations } from "../packages/rest/src/operations/table.ts";
import { restReference } from "../packages/rest/src/reference.ts";
import { exists, filesBelow, packageNames, read, root } from "./repository.ts";

const documents = filesBelow(".", ".md");

describe.each(documents)("%s", (document) => {
  const text = read(document);

  test("links to files that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
    const broken = links
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .filter((target) => !exists(join(dirname(document), target.split("#")[0] ?? "")));
    expect(broken).toEqual([]);
  });

  test("names paths that exist", () => {
    const top = /^(packages|scripts|docs|proto|scenarios|test)\/[\w./-]+$/;
    const isOfPackage = (path: string): boolean =>
      packageNames.includes(path.split("/")[0] ?? "") && /^[\w-]+\/src\/[\w./-]+$/.test(path);
    const paths = [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, path]) => path ?? "")
      .filter((path) => top.test(path) || isOfPackage(path))
      .filter((path) => !path.includes("..."));
    const isThere = (path: string): boolean =>
      exists(path) || exists(join(dirname(document), path)) || exists(join("packages", path));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? "");
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});

test("every invariant of docs/invariants.md is cited, and every cited one is listed", ({
  skip,
}) => {
  if (!exists("docs/invariants.md")) return skip("there is no docs/invariants.md yet");
  const idsIn = (text: string): string[] => text.match(/INV-[A-Z]+-\d+/g) ?? [];
  const listed = new Set(idsIn(read("docs/invariants.md")));
  const cited = new Set(filesBelow("packages", ".ts").flatMap((file) => idsIn(read(file))));

  expect(
    [...listed].filter((id) => !cited.has(id)),
    "listed, but cited nowhere",
  ).toEqual([]);
  expect(
    [...cited].filter((id) => !listed.has(id)),
    "cited, but not listed",
  ).toEqual([]);
  return undefined;
});

describe("docs/invariants.md", () => {
  const [, ...entries] = read("docs/invariants.md").split(/^### /m);
  const cases = entries.map((entry) => [entry.slice(0, entry.indexOf("\n")), entry] as const);

  test.each(cases)("%s has a claim, a reason, a judge and what would break it", (_, entry) => {
    const [claim = "", parts = ""] = entry.split("\n\n").slice(1);

    expect(claim).toMatch(/^[A-Z`].*\.$/s);
    expect(parts.trimEnd()).toMatch(
      /^- \*Why\.\* .+\.\n- \*Checked by\* .+\.\n- \*Broken by\.\* .+\.$/s,
    );
  });

  test.each(cases)("%s names scenarios that exist", (_, entry) => {
    const folders = readdirSync(join(root, "scenarios"));
    const named = [...entry.matchAll(/`([\w-]+)\/([\w-]+)`/g)]
      .filter(([, folder = ""]) => folders.includes(folder))
      .map(([, folder, name]) => `scenarios/${folder}/${name}.yaml`);

    expect(named.filter((file) => !exists(file))).toEqual([]);
  });
});

test("docs/errors.md is what `npm run reference` makes", () => {
  const program = `import("./scripts/errors.mjs").then((m) => process.stdout.write(m.errorReference()))`;
  const { stdout } = spawnSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });

  expect(read("docs/errors.md")).toBe(stdout);
});

test("docs/reference/cli.md is what `npm run reference` makes", () => {
  expect(read("docs/reference/cli.md")).toBe(cliReference());
});

test("docs/reference/rest.md is what `npm run reference` makes", () => {
  const added = lab.product.plugins.flatMap((plugin) => plugin.operations ?? []) as Operation[];

  expect(read("docs/reference/rest.md")).toBe(restReference([...operations, ...added]));
});

test("rings, packages and traces of docs/ARCHITECTURE.md are what `npm run reference` makes", async () => {
  const { architecturePage } = (await import(join(root, "scripts/architecture/page.mjs"))) as {
    architecturePage(text: string): Promise<string>;
  };
  const page = read("docs/ARCHITECTURE.md");

  expect(await architecturePage(page)).toBe(page);
  // The simulation and all of its packages are loaded first.
}, 120_000);
