/**
 * Cluster of a data folder: the number of its nodes, and the zone of each. Both are read from the plans
 * of the nodes (`DIR/node-N/node.json`), which their last start wrote.
 */
import { readdirSync } from "node:fs";
import { greatest } from "@orrery/stdx";
import { readPlan } from "./data-folder.ts";
import { UsageError } from "./usage.ts";

export interface RememberedCluster {
  /** Greatest number of a node. */
  readonly nodes: number;
  /** Zone of each node by its number; a node without a zone is missing. */
  readonly zones: ReadonlyMap<number, string>;
}

/** Name of a node that `orrery up` numbers. */
const NUMBERED = /^node-([1-9]\d*)$/;

/** The remembered cluster; `undefined` if the folder is missing, or has no node. */
export function rememberedCluster(path: string): RememberedCluster | undefined {
  const plans = numberedFolders(path).flatMap((number) => {
    try {
      return [[number, readPlan(path, `node-${number}`).plan] as const];
    } catch (error) {
      // The node reports an unusable plan when it starts.
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
  if (plans.length === 0) return undefined;
  const zones = plans.flatMap(([number, { settings }]) => {
    const zone = settings["node.attr.zone"];
    return typeof zone === "string" ? [[number, zone] as const] : [];
  });
  return { nodes: greatest(plans.map(([number]) => number)), zones: new Map(zones) };
}

/** Numbers of the nodes with a folder, in ascending order. */
export function numberedFolders(path: string): readonly number[] {
  return namesIn(path)
    .flatMap((name) => Number(NUMBERED.exec(name)?.[1] ?? []))
    .toSorted((a, b) => a - b);
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // A folder that cannot be read is reported when it is opened.
    return [];
  }
}

/**
 * Zones in the sequence in which nodes get them, from the zones that the nodes have: the shortest one that gives them all.
 * Empty if no node has a zone; an empty text is a node without one.
 */
export function zoneSequence({ nodes, zones }: RememberedCluster): readonly string[] {
  if (zones.size === 0) return [];
  const known = Array.from({ length: nodes }, (_, i) => zones.get(i + 1) ?? "");
  const isRepeated = (size: number): boolean => known.every((zone, i) => zone === known[i % size]);
  return known.slice(0, known.findIndex((_, i) => isRepeated(i + 1)) + 1);
}
