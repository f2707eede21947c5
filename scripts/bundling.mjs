/** Bundles of our own packages: one file for each entry point, since loading is most of the time that a start takes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { root } from "./prepare.mjs";

/** Source file of each entry point of our packages, by the name under which it is imported. */
export const sources = Object.fromEntries(
  readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name);
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return Object.entries(exports)
      .filter(([, { source }]) => source !== undefined)
      .map(([entry, { source }]) => [`@orrery/${name}${entry.slice(1)}$`, join(folder, source)]);
  }),
);

/** Writes a file for each entry of a package into `dir`. Packages with native parts are imported, not bundled. */
export async function bundle(folder, { entries, dir, format = "esm", extension = "js" }) {
  await build({
    cwd: join(root, folder),
    input: entries,
    platform: "node",
    resolve: { alias: sources },
    external: ["better-sqlite3", "vitest"],
    // The integers of protobuf would compile a module of WebAssembly at each start, for divisions that nothing here makes.
    transform: { define: { WebAssembly: "undefined" } },
    logLevel: "warn",
    output: {
      dir,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `[name].${extension}`,
    },
  });
}
