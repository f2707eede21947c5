/**
 * Reductions of a plan: each generates plans that ask for less. The parser decides whether they are valid, and a run
 * whether they still fail.
 */
/* oxlint-disable orrery/inner-generators -- one of each for a run that is shrunk */
import { defaultCluster } from "../cluster-shape.ts";
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";

/** Generator of smaller plans in their written form, in the order in which to try them. */
export type Reduction = (plan: JsonObject) => Iterable<JsonObject>;

/** Keeps only the checker that found the violation. */
export function onlyChecker(checker: string): Reduction {
  return function* candidates(plan) {
    const { checkers } = plan;
    if (Array.isArray(checkers) && checkers.length > 1) yield { ...plan, checkers: [checker] };
  };
}

/** Empties a list: without clients a run takes no time. */
export function none(key: string): Reduction {
  return function* candidates(plan) {
    const list = lookup(plan, key);
    if (Array.isArray(list) && list.length > 0) yield { ...plan, [key]: [] };
  };
}

/** Removes ever smaller parts of a list: delta debugging. */
export function shorterList(key: string): Reduction {
  return function* candidates(plan) {
    const list = lookup(plan, key);
    if (!Array.isArray(list)) return;
    for (let size = list.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < list.length; at += size) {
        const rest = [...list.slice(0, at), ...list.slice(at + size)] as readonly Json[];
        yield { ...plan, [key]: rest };
      }
    }
  };
}

/** Removes entries of an object one by one. */
export function fewerEntries(key: string): Reduction {
  return function* candidates(plan) {
    const object = lookup(plan, key);
    if (!isJsonObject(object)) return;
    for (const name of Object.keys(object)) {
      const { [name]: _, ...rest } = object;
      yield { ...plan, [key]: rest };
    }
  };
}

/** Removes documents of file data. */
export const fewerDocuments: Reduction = function* fewerDocuments(plan) {
  const { indices } = plan;
  if (!isJsonObject(indices)) return;
  for (const [name, index] of Object.entries(indices)) {
    const data = isJsonObject(index) ? index["data"] : undefined;
    const contents = isJsonObject(data) ? data["contents"] : undefined;
    if (!isJsonObject(index) || !isJsonObject(data) || !Array.isArray(contents)) continue;
    for (const count of [1, Math.ceil(contents.length / 2)]) {
      if (count >= contents.length) continue;
      const fewer = { ...data, contents: contents.slice(0, count) as readonly Json[] };
      yield { ...plan, indices: { ...indices, [name]: { ...index, data: fewer } } };
    }
  }
};

/** Reduces numbers and times below a key: first to their minimum, then by half. */
export function smallerValues(key: string): Reduction {
  return changedValues(key, (name, value) => {
    if (PAUSES.has(name) || ALLOWANCES.has(name)) return [];
    if (typeof value === "number" && Number.isInteger(value) && value > 1)
      return value < 4 ? [1] : [1, Math.floor(value / 2)];
    const ms = msOf(value);
    return ms < 2 ? [] : [`${Math.round(ms / 4)}ms`, `${Math.round(ms / 2)}ms`];
  });
}

/** Increases intervals, which reduces the number of operations. */
export function longerPauses(key: string): Reduction {
  return changedValues(key, (name, value) => {
    const ms = PAUSES.has(name) ? msOf(value) : 0;
    return ms === 0 ? [] : [`${ms * 8}ms`, `${ms * 2}ms`];
  });
}

/** Keys whose increase means fewer operations. */
const PAUSES: ReadonlySet<string> = new Set(["every"]);

/** Keys of time limits: reducing one would change the claim. */
const ALLOWANCES: ReadonlySet<string> = new Set(["timeout", "converge", "until"]);

function changedValues(
  key: string,
  change: (name: string, value: Json | undefined) => readonly Json[],
): Reduction {
  return function* candidates(plan) {
    const part = lookup(plan, key);
    if (part === undefined) return;
    for (const path of leavesOf(part)) {
      const name = path.findLast((one) => !/^\d+$/.test(one)) ?? key;
      for (const changed of change(name, valueAt(part, path)))
        yield { ...plan, [key]: withValueAt(part, path, changed) };
    }
  };
}

type Path = readonly string[];

function leavesOf(value: Json): readonly Path[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, i) =>
      leavesOf(item).map((path) => [String(i), ...path]),
    );
  if (!isJsonObject(value)) return [[]];
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined || key === "contents" ? [] : leavesOf(item).map((path) => [key, ...path]),
  );
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(value)) return valueAt((value as readonly Json[])[Number(key)], rest);
  return isJsonObject(value) ? valueAt(lookup(value, key), rest) : undefined;
}

function withValueAt(value: Json, path: Path, leaf: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, i) =>
      String(i) === key ? withValueAt(item, rest, leaf) : item,
    );
  if (!isJsonObject(value)) return value;
  return { ...value, [key]: withValueAt(lookup(value, key) ?? null, rest, leaf) };
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a time value; 0 for anything else. */
function msOf(value: Json | undefined): number {
  const match = typeof value === "string" ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value) : null;
  return Number(match?.[1] ?? 0) * (lookup(UNITS_MS, match?.[2] ?? "") ?? 0);
}

/** Removes one node of a cluster, from its count or its list. */
export const fewerNodes: Reduction = function* fewerNodes(plan) {
  const unsaid = { [defaultCluster.name]: { nodes: defaultCluster.nodes.length } };
  const { clusters = unsaid } = plan;
  if (!isJsonObject(clusters)) return;
  for (const [name, cluster] of Object.entries(clusters)) {
    if (!isJsonObject(cluster)) continue;
    const { nodes } = cluster;
    const fewer = (count: Json): JsonObject => ({
      ...plan,
      clusters: { ...clusters, [name]: { ...cluster, nodes: count } },
    });
    if (typeof nodes === "number" && nodes > 1) yield fewer(nodes - 1);
    if (Array.isArray(nodes) && nodes.length > 1)
      yield fewer((nodes as readonly Json[]).slice(0, -1));
    if (isJsonObject(nodes)) {
      for (const one of Object.keys(nodes).toReversed()) {
        const { [one]: _, ...rest } = nodes;
        yield fewer(rest);
      }
    }
  }
};
