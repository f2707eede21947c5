/**
 * Which mutants do not type-check: each is a copy of its file beside copies of all other files, and the compiler reads all of them in
 * one go.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newerNode, root } from "../prepare.mjs";
import { cacheFolder } from "./cache.mjs";
import { edited } from "./sites.mjs";

/** The names of those that do. */
export function typeChecked(mutants) {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, "types-"));
  try {
    const names = writeCopies(folder, mutants);
    const wrong = new Set();
    for (const [, file] of compile(folder).matchAll(/^(\S+?)\(\d+,\d+\): error TS(?!6133)/gm)) {
      // Packages that these need have settings of their own.
      if (file.startsWith("..")) continue;
      const name = names.get(file);
      if (name === undefined) throw new Error(`${file} does not type-check`);
      wrong.add(name);
    }
    return new Set([...names.values()].filter((name) => !wrong.has(name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeCopies(folder, mutants) {
  const names = new Map();
  for (const one of new Set(mutants.map(({ file }) => file.split("/")[1])))
    for (const part of ["src", "generated"]) {
      const from = join(root, "packages", one, part);
      if (existsSync(from)) cpSync(from, join(folder, one, part), { recursive: true });
    }
  for (const [at, { name, file, edit }] of mutants.entries()) {
    const copy = file.replace(/^packages\//, "").replace(/\.ts$/, `.mutant-${at}.ts`);
    mkdirSync(dirname(join(folder, copy)), { recursive: true });
    writeFileSync(join(folder, copy), edited(readFileSync(join(root, file), "utf8"), [edit]));
    names.set(copy, name);
  }
  return names;
}

function compile(folder) {
  const options = {
    ...{ composite: false, noEmit: true, isolatedDeclarations: false },
    ...{ noUnusedLocals: false, noUnusedParameters: false, rootDir: root },
  };
  const settings = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: options,
    include: [`${folder}/*/src`],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, error } = spawnSync(newerNode(), [compiler, "-p", ".", "--pretty", "false"], {
    ...{ cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  });
  if (error !== undefined) throw error;
  return stdout;
}
