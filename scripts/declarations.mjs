/**
 * Type declarations of a package for its users: one file for each entry, made from the sources, without imports of packages that are
 * not published.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { sources } from "./bundling.mjs";
import { root } from "./prepare.mjs";

/**
 * Writes the declarations of these entries, source files by name, into `dir`. Each is complete: a copy of it serves CommonJS, where a
 * part in another file would be one of an ES module.
 */
export async function flattenDeclarations(folder, { entries, dir }) {
  for (const [entry, source] of Object.entries(entries)) {
    await build({
      cwd: join(root, folder),
      input: { [entry]: source },
      resolve: { alias: sources },
      // Types of the dependencies are not part of any of our interfaces: their imports are dropped as unused.
      external: [/^protobufjs\//, /^node:/, "vitest"],
      plugins: [dts({ emitDtsOnly: true, tsconfig: false, oxc: true })],
      output: { dir },
      checks: { pluginTimings: false },
      logLevel: "warn",
    });
    const text = readFileSync(join(dir, `${entry}.d.ts`), "utf8");
    const imported =
      /^(?:import|export)\b[^;]*\bfrom ["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/m.exec(text);
    if (imported !== null)
      throw new Error(`the types of ${folder}, ${entry}, import [${imported[1] ?? imported[2]}]`);
  }
}
