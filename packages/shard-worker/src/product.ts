/**
 * The composition of a shard worker: the core's parts and those of plugins, composed once. A worker thread imports
 * this value, and nothing else of a plugin.
 */
import { composeLanguage, coreModule, type SearchLanguage } from "@orrery/query";
import {
  composeRepositoryTypes,
  coreRepositoryTypes,
  type RepositoryTypes,
} from "@orrery/repository";
import { composeSegmentParts, type SegmentParts } from "@orrery/segment";
import type { BlobStores } from "@orrery/ports";
import type { ShardPlugin } from "./plugin.ts";

/** The parts that a worker's program is composed of: those of the core and of plugins. */
export interface ShardProduct {
  readonly plugins: readonly ShardPlugin[];
  readonly repositoryTypes: RepositoryTypes;
  readonly segmentParts: SegmentParts;
  readonly language: SearchLanguage;
}

/** Composes the core's parts with those of plugins. Asserts that names are unique within each kind of part. */
export function composeShards(plugins: readonly ShardPlugin[]): ShardProduct {
  const types = plugins.flatMap(({ repositoryTypes }) => repositoryTypes ?? []);
  return {
    plugins,
    repositoryTypes: composeRepositoryTypes([...coreRepositoryTypes, ...types]),
    language: composeLanguage([coreModule, ...plugins.flatMap(({ language }) => language ?? [])]),
    segmentParts: composeSegmentParts(plugins.flatMap(({ segmentParts = [] }) => segmentParts)),
  };
}

/**
 * Names of a program's parts beside the core: its plugins, their members, and its openers of repository types. Programs
 * whose names are equal run the same plugins.
 */
export function partsOf(
  { plugins }: Pick<ShardProduct, "plugins">,
  { types }: Pick<BlobStores, "types">,
): readonly string[] {
  const members = (plugin: ShardPlugin): readonly string[] =>
    Object.entries(plugin).flatMap(([key, value]) =>
      key === "name" || value === undefined ? [] : [`[${key}] of plugin [${plugin.name}]`],
    );
  return [
    ...plugins.flatMap((plugin) => [`plugin [${plugin.name}]`, ...members(plugin)]),
    ...types.filter((type) => !isOfCore(type)).map((type) => `opener of [${type}]`),
  ];
}

/**
 * The difference between the parts of the node's program and those of its workers' program, as a sentence; `undefined`:
 * the parts are equal.
 */
export function programDifference(
  ofNode: readonly string[],
  ofWorkers: readonly string[],
): string | undefined {
  const missing = [
    ...lacking("shard workers lack", ofNode, ofWorkers),
    ...lacking("the node lacks", ofWorkers, ofNode),
  ];
  if (missing.length === 0) return undefined;
  return `shard workers run other plugins than the node: ${missing.join("; ")}`;
}

/** A missing plugin is named without its members. */
function lacking(
  who: string,
  wanted: readonly string[],
  there: readonly string[],
): readonly string[] {
  const parts = wanted.filter((part) => !there.includes(part));
  const named = parts.filter((part) => !parts.some((other) => part.endsWith(` of ${other}`)));
  return named.length === 0 ? [] : [`${who} ${named.join(", ")}`];
}

function isOfCore(type: string): boolean {
  return coreRepositoryTypes.some((row) => row.type === type);
}

/** Shard workers without plugins. */
export const coreShards: ShardProduct = composeShards([]);
