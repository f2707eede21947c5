/** Programs from the sources, with other texts in place of some. */
import { root } from "../prepare.mjs";

/** Texts are keyed by the absolute path of the source that they replace. */
export async function bundle(texts, input, output) {
  // The bundler is there only once it is installed.
  const { build } = await import("rolldown");
  const { sources } = await import("../bundling.mjs");
  await build({
    cwd: root,
    input,
    platform: "node",
    resolve: { alias: sources },
    external: ["better-sqlite3"],
    logLevel: "silent",
    plugins: [{ name: "mutant", load: (id) => texts.get(id) }],
    output: { format: "esm", ...output },
  });
}

/** The scenario package and all it needs in one file. */
export async function bundleScenarios(texts, out) {
  await bundle(
    texts,
    { scenario: "scripts/mutant-program.mjs" },
    { file: out, codeSplitting: false },
  );
}
