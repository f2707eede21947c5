/** Type declarations of a package in one file, without imports of packages that are not published. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { root } from "./prepare.mjs";

/** Declarations of each entry point of our packages, as the compiler wrote them. */
const declared = new Map(
  readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name);
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return Object.entries(exports)
      .filter(([, { types }]) => types !== undefined)
      .map(([entry, { types }]) => [`@orrery/${name}${entry.slice(1)}`, join(folder, types)]);
  }),
);

/** The compiler keeps `./file.ts` in declarations, where only `./file.d.ts` exists. */
const compiled = {
  name: "compiled-declarations",
  resolveId(specifier, importer) {
    if (declared.has(specifier)) return declared.get(specifier);
    if (importer === undefined || !/^\..*(?<!\.d)\.ts$/.test(specifier)) return undefined;
    return join(dirname(importer), specifier.replace(/\.ts$/, ".d.ts"));
  },
};

/** Writes `index.d.ts` of the package into `dir`. The package is compiled already. */
export async function flattenDeclarations(folder, dir) {
  await build({
    cwd: join(root, folder),
    input: { index: "dist/index.d.ts" },
    // Types of the dependencies are not part of any of our interfaces: their imports are dropped as unused.
    external: [/^protobufjs\//, /^node:/],
    plugins: [compiled, dts({ dtsInput: true, tsconfig: false, oxc: true })],
    output: { dir },
    logLevel: "warn",
  });
  const text = readFileSync(join(dir, "index.d.ts"), "utf8");
  const imported =
    /^(?:import|export)\b[^;]*\bfrom ["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/m.exec(text);
  if (imported !== null)
    throw new Error(`the types of ${folder} import [${imported[1] ?? imported[2]}]`);
}
