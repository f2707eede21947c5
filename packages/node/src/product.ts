/**
 * What a program's nodes are made of, composed once: the product's own parts and those of its plugins. Nothing is added to it later, and
 * nothing else in the process is looked at, so that two clusters of one process may be made of different parts.
 */
import {
  composeRules,
  nodeSettingProblem,
  nodeSettingsProblem,
  type Rules,
  type Settings,
} from "@orrery/cluster-state";
import { composeProcessors, coreProcessors, type ProcessorTypes } from "@orrery/ingest";
import type { ActionCall, Guard } from "@orrery/ports";
import { actionRows, type ActionRow } from "@orrery/protocol";
import { composeShards, type ShardProduct } from "@orrery/shard-worker";
import { assert, type Problem } from "@orrery/stdx";
import {
  composeSections,
  nodeInfoMetrics,
  nodeStatsMetrics,
  type NodeSections,
} from "./node-sections.ts";
import type { OperationCall, Plugin } from "./plugin.ts";

export interface Product {
  readonly plugins: readonly Plugin[];
  readonly rules: Rules;
  /** Transport actions, by their names: those of the core, and those of plugins. */
  readonly actions: ReadonlyMap<string, ActionRow>;
  /** What its shard workers are made of. The node knows its repository types, too. */
  readonly shards: ShardProduct;
  /** The search language of its shard workers, in which coordinating nodes read requests. */
  readonly language: ShardProduct["language"];
  /** Processor types of ingest pipelines, by their names. */
  readonly processors: ProcessorTypes;
  /** In the order of the plugins; the core has none. */
  readonly operationGuards: readonly Guard<OperationCall>[];
  readonly actionGuards: readonly Guard<ActionCall>[];
  /** Of plugins, behind those of the core. */
  readonly statsSections: NodeSections;
  readonly infoSections: NodeSections;
}

/** Two plugins with a part of the same name are a bug of whoever composes them. */
export function composeProduct(plugins: readonly Plugin[]): Product {
  const actions = [
    ...actionRows,
    ...plugins.flatMap((plugin) => Object.entries(plugin.actions ?? {})),
  ];
  assert(
    new Set(plugins.map(({ name }) => name)).size === plugins.length,
    "a plugin is there twice",
  );
  assert(new Map(actions).size === actions.length, "two transport actions have one name");
  const shards = composeShards(plugins.flatMap((plugin) => plugin.shards ?? []));
  return {
    plugins,
    rules: composeRules(plugins),
    actions: new Map(actions),
    shards,
    language: shards.language,
    processors: composeProcessors([
      ...coreProcessors,
      ...plugins.flatMap(({ processors = [] }) => processors),
    ]),
    operationGuards: plugins.flatMap(({ operationGuards }) => operationGuards ?? []),
    actionGuards: plugins.flatMap(({ actionGuards }) => actionGuards ?? []),
    statsSections: composeSections(
      nodeStatsMetrics,
      plugins.flatMap(({ statsSections }) => statsSections ?? []),
    ),
    infoSections: composeSections(
      nodeInfoMetrics,
      plugins.flatMap(({ infoSections }) => infoSections ?? []),
    ),
  };
}

/** The product without plugins. */
export const coreProduct: Product = composeProduct([]);

/** Why no node starts with this setting, whatever the others are, in the product's words. */
export function settingProblem(
  { rules }: Product,
  key: string,
  value: string,
): Problem | undefined {
  return nodeSettingProblem(rules.settings, key, value);
}

/** The same of all that it is given. */
export function settingsProblem({ rules }: Product, settings: Settings): Problem | undefined {
  return nodeSettingsProblem(rules.settings, settings);
}
