/** Plugins are listed once: the half that threads load is that of the whole, and a thread loads none of the rest. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lab } from "../src/lab.ts";
import { plugins } from "../src/plugins.ts";
import { product } from "../src/product.ts";

test("the half of a plugin for shards is the one that its whole has", async () => {
  for (const { node, shards } of plugins) {
    expect(await shards?.()).toBe((await node()).shards);
  }
});

test("the product has every plugin that is listed", async () => {
  expect(product.plugins).toEqual(await Promise.all(plugins.map(({ node }) => node())));
});

test("threads of shard workers load no module of the rest of a node", () => {
  const halves = listedEntries(/@orrery\/[^"]+\/shards/).map(resolved);
  const entry = join(import.meta.dirname, "../src/thread-entry.ts");
  const packages = packagesOf(loadedBy([entry, ...halves]));

  expect(packages).toContain("shard-worker");
  for (const absent of ["node", "rest", "coordinator", "cluster-manager", "http-server"])
    expect([...packages], absent).not.toContain(absent);
});

test("nodes load no checker", () => {
  const whole = listedEntries(/@orrery\/[^"/]+/);
  const packages = packagesOf(loadedBy(whole.map(resolved)));

  expect(whole.length).toBeGreaterThan(0);
  expect(packages).toContain("node");
  for (const absent of ["scenario", "simulator"])
    expect([...packages], absent).not.toContain(absent);
});

test("the lab has the checkers of every plugin that is listed", async () => {
  const added = await Promise.all(plugins.map(async ({ checkers }) => (await checkers?.()) ?? []));

  expect(added.flat().map(({ name }) => name)).toContain("follower-equals-leader");
  for (const checker of added.flat()) expect(lab.checkers.get(checker.name)).toBe(checker);
});

/** Entry points of plugins that `plugins.ts` loads by names of this form. */
function listedEntries(form: RegExp): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "../src/plugins.ts"), "utf8");
  return [...text.matchAll(new RegExp(`import\\("(${form.source})"\\)`, "g"))].map(
    ([, name]) => name ?? "",
  );
}

/** Modules that these import, and so on. */
function loadedBy(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const imports = /^(?:import|export) (?!type )(?:[^;"]*? from )?"((?:\.|@orrery\/)[^"]+)";/gm;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imports)) {
      if (name.endsWith(".js")) continue;
      visit(name.startsWith(".") ? join(file, "..", name) : resolved(name));
    }
  };
  for (const file of files) visit(file);
  return loaded;
}

function packagesOf(files: ReadonlySet<string>): ReadonlySet<string | undefined> {
  return new Set([...files].map((file) => /packages\/([^/]+)\//.exec(file)?.[1]));
}

/** The source of a package's entry point. */
function resolved(name: string): string {
  const [, folder = "", entry = ""] = /^@orrery\/([^/]+)(.*)$/.exec(name) ?? [];
  const root = join(import.meta.dirname, "../..", folder);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly source: string }>>;
  };
  return join(root, exports[`.${entry}`]?.source ?? "missing");
}
