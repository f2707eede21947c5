/** Conversion of settings between the nested JSON of requests and responses and the flat form of the state. */
import {
  javaText,
  jsonDigits,
  isJsonObject,
  lookup,
  OperationError,
  setKey,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import type { SettingsChange } from "../types.ts";

/**
 * The flat form: `{"index":{"number_of_shards":1}}` gives `{"index.number_of_shards":"1"}`. `prefix` is put before keys
 * that lack it, except `archived.*` and `*`. Throws for a list of anything but values.
 */
export function flattenSettings(source: JsonObject, prefix?: string): SettingsChange {
  const flat: Record<string, string | readonly string[] | null> = {};
  if (!flattenInto(flat, "", source)) throw notOnlyValues(source);
  if (prefix === undefined) return flat;
  return Object.fromEntries(
    Object.entries(flat).map(([key, value]) => [normalised(key, prefix), value]),
  );
}

function normalised(key: string, prefix: string): string {
  if (key.startsWith(prefix) || key.startsWith("archived.") || key === "*") return key;
  return `${prefix}${key}`;
}

function notOnlyValues(source: JsonObject): OperationError {
  return new OperationError({
    type: "settings_exception",
    reason: `Failed to load settings from [${jsonDigits(source)}]`,
    status: 400,
    causedBy: {
      type: "illegal_state_exception",
      reason: "only value lists are allowed in serialized settings",
      status: 500,
    },
  });
}

/** Flattens a value into `flat`; false for a list that contains objects or lists. */
function flattenInto(
  flat: Record<string, string | readonly string[] | null>,
  path: string,
  value: Json,
): boolean {
  if (isJsonObject(value)) {
    return Object.entries(value).every(
      ([key, inner]) =>
        inner === undefined || flattenInto(flat, path === "" ? key : `${path}.${key}`, inner),
    );
  }
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    // `String` must not be called on a client's object: its `toString` member may be anything.
    if (items.some((item) => typeof item === "object")) return false;
    setKey(flat, path, items.map(String));
    return true;
  }
  setKey(flat, path, value === null ? null : javaText(value));
  return true;
}

interface Tree {
  [key: string]: Tree | SettingsChange[string];
}

/** The nested form, for responses. A key that is also the prefix of another keeps its dots. */
export function nestSettings(settings: SettingsChange): { readonly [key: string]: Json } {
  const root: Tree = {};
  for (const key of Object.keys(settings)) {
    const value = lookup(settings, key);
    if (value !== undefined) put(root, key, value);
  }
  return root;
}

function put(root: Tree, key: string, value: SettingsChange[string]): void {
  const path = key.split(".");
  let tree = root;
  for (const [i, part] of path.entries()) {
    const rest = path.slice(i).join(".");
    const inner = lookup(tree, part);
    if (i === path.length - 1) {
      if (isTree(inner)) flattenTree(tree, part, inner);
      setKey(tree, rest, value);
      return;
    }
    if (inner === undefined) {
      const made: Tree = {};
      setKey(tree, part, made);
      tree = made;
    } else if (isTree(inner)) tree = inner;
    else {
      setKey(tree, rest, value);
      return;
    }
  }
}

/** Replaces the object `name` by dotted keys in its parent, because `name` itself gets a value: `a: {b: 1}` becomes `a.b: 1`. */
function flattenTree(parent: Tree, name: string, tree: Tree): void {
  for (const [key, inner] of Object.entries(tree)) {
    if (isTree(inner)) flattenTree(tree, key, inner);
  }
  for (const [key, inner] of Object.entries(tree)) setKey(parent, `${name}.${key}`, inner);
  delete parent[name];
}

function isTree(value: Tree[string] | undefined): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
