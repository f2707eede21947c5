/** Mutations of JSON trees, each at one place of the tree. */
import type { Json, JsonObject, Random } from "@orrery/stdx";
import { nastyName, nastyNumber, nastyText, nastyValue } from "./nasty.ts";

/** Names and values that let a mutated request pass its parser. */
export interface Vocabulary {
  readonly fields: readonly string[];
  /** Parts of other bodies. */
  readonly parts: readonly Json[];
}

type Path = readonly (string | number)[];

/** Copy with one to three mutated places. */
export function mutateTree(random: Random, tree: Json, words: Vocabulary): Json {
  let mutated = tree;
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const path = random.pick(pathsOf(mutated));
    mutated = changeAt(mutated, path, (value) => change(random, value, words));
  }
  return mutated;
}

/**
 * Paths of the values in a tree, breadth first from the root. At most about `most` are returned, so large trees are
 * mutated near their root.
 */
export function pathsOf(tree: Json, most = 2000): readonly Path[] {
  const paths: Path[] = [[]];
  const values: Json[] = [tree];
  for (let i = 0; i < paths.length && paths.length < most; i += 1) {
    const [path, value] = [paths[i] ?? [], values[i]];
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value) as [string, Json][]) {
      paths.push([...path, isList ? Number(key) : key]);
      values.push(inner);
    }
  }
  return paths;
}

/** Copy in which `becomes` has replaced the value at the path; if it returns `undefined`, the value is removed. */
export function changeAt(tree: Json, path: Path, becomes: (value: Json) => Json | undefined): Json {
  return changed(tree, path, becomes) ?? null;
}

function changed(
  tree: Json,
  [first, ...rest]: Path,
  becomes: (value: Json) => Json | undefined,
): Json | undefined {
  if (first === undefined) return becomes(tree);
  if (Array.isArray(tree)) {
    return (tree as readonly Json[]).flatMap((item, i) => {
      if (i !== first) return [item];
      const inner = changed(item, rest, becomes);
      return inner === undefined ? [] : [inner];
    });
  }
  // `fromEntries` defines own members, so that `__proto__` is a key like any other.
  return Object.fromEntries(
    Object.entries(tree as JsonObject).flatMap(([key, item]): [string, Json][] => {
      if (key !== String(first)) return [[key, item ?? null]];
      const inner = changed(item ?? null, rest, becomes);
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
}

function change(random: Random, value: Json, words: Vocabulary): Json | undefined {
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value)
      ? changeList(random, value as readonly Json[], words)
      : changeObject(random, value as JsonObject, words);
  }
  switch (random.int(0, 9)) {
    case 0:
      return undefined;
    case 1:
      return [value];
    case 2:
      return { value };
    case 3:
      return typeof value === "string" ? nastyNumber(random) : String(value);
    case 4:
      return random.pick(words.fields);
    case 5:
      return random.pick(words.parts);
    case 6:
    case 7:
      return typeof value === "number" ? nastyNumber(random) : nastyText(random);
    default:
      return nastyValue(random);
  }
}

function changeList(random: Random, list: readonly Json[], words: Vocabulary): Json {
  switch (random.int(0, 6)) {
    case 0:
      return [];
    case 1:
      return [...list, ...list];
    case 2:
      return list[0] ?? null;
    case 3:
      return [...list, nastyValue(random)];
    case 4:
      return [...list, null];
    case 5:
      return [...list, random.pick(words.parts)];
    default:
      return nastyValue(random);
  }
}

function changeObject(random: Random, object: JsonObject, words: Vocabulary): Json {
  const entries = Object.entries(object) as [string, Json][];
  const at = entries.length === 0 ? 0 : random.int(0, entries.length - 1);
  const withEntry = (key: string, value: Json): Json =>
    Object.fromEntries([...entries.slice(0, at), [key, value], ...entries.slice(at + 1)]);
  const old = entries[at]?.[1] ?? null;
  switch (random.int(0, 9)) {
    case 0:
      return {};
    case 1:
      return [object];
    case 2:
      return withEntry(nastyName(random), old);
    case 3:
      return { ...object, ...Object.fromEntries([[nastyName(random), nastyValue(random)]]) };
    case 4:
      return withEntry(random.pick(words.fields), old);
    case 5:
      return Object.fromEntries([...entries.slice(0, at), ...entries.slice(at + 1)]);
    case 6: {
      const part = random.pick(words.parts);
      return typeof part === "object" && part !== null && !Array.isArray(part)
        ? { ...object, ...part }
        : [part];
    }
    case 7:
      return withEntry(entries[at]?.[0] ?? "x", random.pick(words.parts));
    case 8:
      return withEntry(entries[at]?.[0] ?? "x", nastyValue(random));
    default:
      return nastyValue(random);
  }
}
