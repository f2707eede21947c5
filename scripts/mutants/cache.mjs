/** Files that may be thrown away at any time, each for one state of the sources. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
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

export function digestOfFile(file) {
  return createHash("sha256")
    .update(readFileSync(join(root, file)))
    .digest("hex")
    .slice(0, 16);
}

export function readCache(name) {
  const path = join(cacheFolder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Another process that does the same at this moment writes the same. */
export function writeCache(name, value) {
  mkdirSync(cacheFolder, { recursive: true });
  const fresh = join(cacheFolder, `${name}.${process.pid}`);
  writeFileSync(fresh, JSON.stringify(value));
  renameSync(fresh, join(cacheFolder, name));
}
