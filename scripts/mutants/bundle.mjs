/** The scenario package and all it needs in one file, with other texts in place of some sources'. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";

/** Texts are keyed by the absolute path of the source that they replace. */
export async function bundleWith(texts, out) {
  const { build } = await import("rolldown");
  const packages = readdirSync(join(root, "packages"));
  const alias = Object.fromEntries(
    packages.map((one) => [`@orrery/${one}`, join(root, "packages", one, "src/index.ts")]),
  );
  await build({
    cwd: root,
    input: { scenario: "scripts/mutant-program.mjs" },
    platform: "node",
    resolve: { alias },
    external: ["better-sqlite3"],
    logLevel: "silent",
    plugins: [{ name: "mutant", load: (id) => texts.get(id) }],
    output: { file: out, format: "esm" },
  });
}
