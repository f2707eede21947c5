/**
 * What shard workers are made of, composed once from the product's own parts and those of plugins. A thread is given this value and
 * nothing else of a plugin.
 */
import { composeLanguage, coreModule, type SearchLanguage } from "@orrery/query";
import {
  composeRepositoryTypes,
  coreRepositoryTypes,
  type RepositoryTypes,
} from "@orrery/repository";
import { composeSegmentParts, type SegmentParts } from "@orrery/segment";
import type { ShardPlugin } from "./plugin.ts";

export interface ShardProduct {
  readonly plugins: readonly ShardPlugin[];
  readonly repositoryTypes: RepositoryTypes;
  readonly segmentParts: SegmentParts;
  readonly language: SearchLanguage;
}

/** Two rows of one name are a bug of whoever composes them. */
export function composeShards(plugins: readonly ShardPlugin[]): ShardProduct {
  const types = plugins.flatMap(({ repositoryTypes }) => repositoryTypes ?? []);
  return {
    plugins,
    repositoryTypes: composeRepositoryTypes([...coreRepositoryTypes, ...types]),
    language: composeLanguage([coreModule, ...plugins.flatMap(({ language }) => language ?? [])]),
    segmentParts: composeSegmentParts(plugins.flatMap(({ segmentParts = [] }) => segmentParts)),
  };
}

/** Shard workers without plugins. */
export const coreShards: ShardProduct = composeShards([]);
