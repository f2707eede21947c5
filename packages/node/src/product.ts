/**
 * The composition of a program's nodes: the core's parts and those of plugins, composed once. Nodes see nothing else
 * of the process, so that two clusters in one process may have different plugins.
 */
import {
  composeRules,
  nodeSettingHasEffect,
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

/** The parts that a node's program is composed of: those of the core and of plugins. */
export interface Product {
  readonly plugins: readonly Plugin[];
  readonly rules: Rules;
  /** Transport actions by name, of the core and of plugins. */
  readonly actions: ReadonlyMap<string, ActionRow>;
  /** The composition of shard workers; the node uses its repository types, too. */
  readonly shards: ShardProduct;
  /** The search language of the shard workers, in which coordinating nodes read requests. */
  readonly language: ShardProduct["language"];
  /** Processor types of ingest pipelines, by name. */
  readonly processors: ProcessorTypes;
  /** In the order of the plugins; the core has none. */
  readonly operationGuards: readonly Guard<OperationCall>[];
  readonly actionGuards: readonly Guard<ActionCall>[];
  /** Sections of plugins, after the core's. */
  readonly statsSections: NodeSections;
  readonly infoSections: NodeSections;
}

/** Composes the core's parts with those of plugins. Asserts that names are unique within each kind of part. */
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

/**
 * The problem of one node setting by itself, in the product's words; `undefined`: the setting is valid. `processors`: the
 * number of processors of the machine, which limits thread pools; `undefined`: not known yet.
 */
export function settingProblem(
  { rules }: Product,
  key: string,
  settings: Settings,
  processors?: number,
): Problem | undefined {
  return nodeSettingProblem(rules.settings, key, settings, processors);
}

/** Whether code reads the node setting, which is accepted even if none does; `undefined` for an unknown one. */
export function settingHasEffect({ rules }: Product, key: string): boolean | undefined {
  return nodeSettingHasEffect(rules.settings, key);
}

/** The first problem among all node settings, with the others in `suppressed`; `undefined`: all settings are valid. */
export function settingsProblem(
  { rules }: Product,
  settings: Settings,
  processors?: number,
): Problem | undefined {
  return nodeSettingsProblem(rules.settings, settings, processors);
}
