/**
 * The systematic mutants: of every operator in every area the same number, drawn by the hash of their names, so that a change of one
 * function leaves the others' mutants alone. A mutant that does not type-check, or that is the same program, is none.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, transformSync } from "rolldown/utils";
import { root } from "../prepare.mjs";
import { sourcesOfAreas } from "./areas.mjs";
import { digestOf, packageSources, readCache, writeCache } from "./cache.mjs";
import { edited, mutantsOf } from "./sites.mjs";
import { typeChecked } from "./types.mjs";

const PER_OPERATOR_AND_AREA = 2;
/** As many more are looked at, for those that do not type-check. */
const CANDIDATES = 4 * PER_OPERATOR_AND_AREA;
const PER_FILE = 12;

const equivalents = "test/mutants/systematic/equivalent.yaml";

/** In the order of their names, each with the reason why it is equivalent, if it is. */
export async function systematicMutants() {
  const rules = digestOf(["scripts/mutants"], /^(areas|list|operators|sites|types)\.mjs$/);
  const sources = digestOf(packageSources(), /\.ts$/);
  const name = `list-${sources}-${rules}.json`;
  const chosen = readCache(name) ?? choose();
  writeCache(name, chosen);
  const reasons = await readReasons();
  return chosen.map((mutant) => {
    const set = reasons.get(mutant.name);
    const isSame = set !== undefined && set.was === mutant.was && set.becomes === mutant.becomes;
    return { ...mutant, equivalent: isSame ? set.reason : undefined };
  });
}

/** A reason holds as long as the text that the mutant replaces is the same. */
export async function readReasons() {
  const { parse } = await import("yaml");
  const path = join(root, equivalents);
  const entries = existsSync(path) ? parse(readFileSync(path, "utf8")) : [];
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function choose() {
  const groups = Map.groupBy(
    sourcesOfAreas().flatMap(mutantsOf),
    ({ area, operator }) => `${area} ${operator}`,
  );
  const drawn = [...groups.values()].map((group) =>
    group.toSorted((a, b) => hashOf(a.name) - hashOf(b.name)).slice(0, CANDIDATES),
  );
  const isTyped = typeChecked(drawn.flat());
  const perFile = new Map();
  const chosen = drawn.flatMap((group) => {
    const taken = [];
    const functions = new Set();
    for (const mutant of group) {
      if (taken.length === PER_OPERATOR_AND_AREA) break;
      const { name, file } = mutant;
      const place = `${file} ${mutant.function}`;
      const count = perFile.get(file) ?? 0;
      if (functions.has(place) || count === PER_FILE) continue;
      if (!isTyped.has(name) || isSameProgram(mutant)) continue;
      functions.add(place);
      perFile.set(file, count + 1);
      taken.push(mutant);
    }
    return taken;
  });
  return chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const minifiedSources = new Map();

function isSameProgram({ file, edit }) {
  const text = readFileSync(join(root, file), "utf8");
  const minified = minifiedSources.get(file) ?? minifiedOf(file, text);
  minifiedSources.set(file, minified);
  return minifiedOf(file, edited(text, [edit])) === minified;
}

function minifiedOf(file, text) {
  return minifySync(file.replace(/ts$/, "js"), transformSync(file, text).code).code;
}

/** FNV-1a. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
