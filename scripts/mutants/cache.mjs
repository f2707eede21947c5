/** Files that may be thrown away at any time, each for one state of the sources. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../prepare.mjs";

export const cacheFolder = join(root, "node_modules/.cache/orrery-mutants");

/** Of all files below these folders, as far as their names match. */
export function digestOf(folders, names) {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((one) => names.test(one)).toSorted())
      hash.update(`${folder}/${file}\0`).update(readFileSync(join(root, folder, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

export function packageSources() {
  return readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`);
}

/** What was kept under this name, or else what `make` makes, which is kept. */
export async function cached(name, make) {
  const path = join(cacheFolder, name);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  const made = await make();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(made));
  return made;
}
