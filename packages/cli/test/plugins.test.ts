/** Plugins are listed once: the half that threads load is that of the whole, and a thread loads none of the rest. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test("threads of shard workers load no module of the rest of a node", async () => {
  const loaded = new Set<string>();
  visit(join(import.meta.dirname, "../src/thread-entry.ts"));
  for (const name of listedEntries()) visit(resolved(name));

  const packages = new Set([...loaded].map((file) => /packages\/([^/]+)\//.exec(file)?.[1]));

  expect(packages).toContain("shard-worker");
  for (const absent of ["node", "rest", "coordinator", "cluster-manager", "http-server"])
    expect([...packages], absent).not.toContain(absent);

  /** What `thread-program.ts` loads of each plugin. */
  function listedEntries(): readonly string[] {
    const text = readFileSync(join(import.meta.dirname, "../src/plugins.ts"), "utf8");
    return [...text.matchAll(/import\("(@orrery\/[^"]+\/shards)"\)/g)].map(
      ([, name]) => name ?? "",
    );
  }

  function visit(file: string): void {
    if (loaded.has(file)) return;
    loaded.add(file);
    const imports = /^(?:import|export) (?!type )(?:[^;"]*? from )?"((?:\.|@orrery\/)[^"]+)";/gm;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imports)) {
      if (name.endsWith(".js")) continue;
      visit(name.startsWith(".") ? join(file, "..", name) : resolved(name));
    }
  }
});

/** The source of a package's entry point. */
function resolved(name: string): string {
  const [, folder = "", entry = ""] = /^@orrery\/([^/]+)(.*)$/.exec(name) ?? [];
  const root = join(import.meta.dirname, "../..", folder);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly source: string }>>;
  };
  return join(root, exports[`.${entry}`]?.source ?? "missing");
}
