/** `indices.rollover`: creates the next write index of an alias or a data stream when a condition is met. */
import {
  backingIndexName,
  dataStreamsOf,
  findIndexTemplate,
  findLegacyTemplates,
  indexTemplatesOf,
  indicesOptions,
  aliasesOfIndexTemplate,
  validateIndexSettings,
  validateNewIndexName,
  resolveDateMath,
  writeIndexOf,
  type ClusterState,
  type IndexMetadata,
  type SettingTables,
} from "@orrery/cluster-state";
import { planBackingIndex, planIndex, type Cluster, type PlannedIndex } from "@orrery/node";
import {
  fail,
  illegalArgument,
  isJsonObject,
  lookup,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { waitForActiveShards } from "../../indices/active-shards.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { activeShards, flag } from "../../parameters.ts";
import { rolloverBody, type Condition, type RolloverBody } from "./body.ts";

export const indicesRollover: Operation = defineOperation({
  group: "indices.rollover",
  permission: "indices:admin/rollover",
  routes: ["POST /{alias}/_rollover", "POST /{alias}/_rollover/{new_index}"],
  query: {
    ...acknowledgedParameters,
    dry_run: flag(false),
    wait_for_active_shards: activeShards(),
  },
  body: rolloverBody,
  deviations: [],

  async handle({ path, query, body, request }, cluster) {
    const options = submitOptions(query, "NORMAL");
    const state = await cluster.managerState(options.managerTimeoutMs ?? 30_000);
    const nowMs = cluster.clock.nowMs();
    const target = path["alias"] ?? "";
    const source = sourceOf(state, target);
    const rollover: Rollover = { target, source, newName: path["new_index"], body };
    const name = newNameOf(state, rollover, nowMs);
    passBlocks(state, "metadata_write", [source.name]);
    passBlocks(state, "create_index", []);
    checkRollover(state, rollover, { name, known: cluster.product.rules.settings });
    const results = await evaluate(cluster, source, body.conditions);
    const met = results.filter(({ isMet }) => isMet);
    const answer = {
      old_index: source.name,
      new_index: name,
      dry_run: query.dry_run,
      conditions: Object.fromEntries(
        results.map(({ condition, isMet }) => [`[${condition.name}: ${condition.text}]`, isMet]),
      ),
    };
    if (query.dry_run || (results.length > 0 && met.length === 0)) {
      const refused = { acknowledged: false, shards_acknowledged: false, rolled_over: false };
      return { body: { ...refused, ...answer } };
    }
    const planned = plan(cluster, state, rollover, { name, nowMs });
    for (const warning of planned.warnings) request.warn(warning);
    const info = {
      met_conditions: Object.fromEntries(
        met.map(({ condition }) => [condition.name, metJson(condition)]),
      ),
      time: nowMs,
    };
    const { acknowledged } = await cluster.submit(
      { kind: "roll-over", target, source, index: planned.task, info, nowMs },
      options,
    );
    const wait = { wanted: query.wait_for_active_shards, timeoutMs: query.timeout };
    const areActive = acknowledged && (await waitForActiveShards(cluster, [name], wait));
    return {
      body: { acknowledged, shards_acknowledged: areActive, rolled_over: true, ...answer },
    };
  },
});

interface Rollover {
  readonly target: string;
  readonly source: IndexMetadata;
  readonly newName: string | undefined;
  readonly body: RolloverBody;
}

/** The write index of the target. */
function sourceOf(state: ClusterState, target: string): IndexMetadata {
  const { indices } = state.metadata;
  if (indices.has(target)) {
    throw illegalArgument(
      "rollover target is a [concrete index] but one of [alias,data_stream] was expected",
    );
  }
  const stream = dataStreamsOf(state).get(target);
  const holders = [...indices.values()].filter(({ aliases }) => aliases.has(target));
  if (stream === undefined && holders.length === 0) {
    throw illegalArgument(`rollover target [${target}] does not exist`);
  }
  const source =
    stream === undefined ? writeIndexIn(holders, target) : indices.get(writeIndexOf(stream));
  if (source !== undefined) return source;
  throw illegalArgument(`rollover target [${target}] does not point to a write index`);
}

function writeIndexIn(holders: readonly IndexMetadata[], alias: string): IndexMetadata | undefined {
  const [only] = holders;
  const marked = holders.find(({ aliases }) => aliases.get(alias)?.isWriteIndex === true);
  if (marked !== undefined || holders.length !== 1) return marked;
  return only?.aliases.get(alias)?.isWriteIndex === false ? undefined : only;
}

/** Name of the new index: the number incremented, in six digits; date math in the name is kept. */
function newNameOf(
  state: ClusterState,
  { target, source, newName }: Rollover,
  nowMs: number,
): string {
  const stream = dataStreamsOf(state).get(target);
  if (stream !== undefined) {
    if (newName !== undefined) {
      throw illegalArgument("new index name may not be specified when rolling over a data stream");
    }
    return backingIndexName(target, stream.generation + 1);
  }
  return resolveDateMath(newName ?? providedName(source), nowMs);
}

function providedName({ name, settings }: IndexMetadata): string {
  const given = String(settings["index.provided_name"] ?? name);
  const isDateMath = given.startsWith("<") && given.endsWith(">");
  const plain = isDateMath ? given.slice(1, -1) : given;
  const match = /^(.*)-(\d+)$/.exec(isDateMath ? plain : name);
  if (match === null) {
    throw illegalArgument(`index name [${name}] does not match pattern '^.*-\\d+$'`);
  }
  const next = `${match[1]}-${String(Number(match[2]) + 1).padStart(6, "0")}`;
  return isDateMath ? `<${next}>` : next;
}

function checkRollover(
  state: ClusterState,
  { target, body }: Rollover,
  { name, known }: { readonly name: string; readonly known: SettingTables },
): void {
  const { settings, mapping, aliases } = body;
  if (dataStreamsOf(state).has(target)) {
    const said = [settings, mapping, aliases].some((part) => Object.keys(part).length > 0);
    if (!said) return;
    throw illegalArgument(
      "aliases, mappings, and index settings may not be specified when rolling over a data stream",
    );
  }
  const problem =
    validateNewIndexName(state, name) ??
    validateIndexSettings(known.index, settings, { isCreate: true });
  if (problem !== undefined) fail(problem);
  const template = findIndexTemplate(state, name, false);
  const composable = template === undefined ? undefined : indexTemplatesOf(state).get(template);
  if (template !== undefined && composable !== undefined) {
    const named = aliasesOfIndexTemplate(state, composable).flatMap((one) => Object.keys(one));
    if (named.includes(target)) throw duplicateAlias(target, named, template);
    return;
  }
  for (const [legacy, { aliases: held }] of findLegacyTemplates(state, name, undefined)) {
    const named = Object.keys(held);
    if (named.includes(target)) throw duplicateAlias(target, named, legacy);
  }
}

function duplicateAlias(target: string, aliases: readonly string[], template: string): Error {
  return illegalArgument(
    `Rollover alias [${target}] can point to multiple indices, found duplicated alias [[${aliases.join(", ")}]] in index template [${template}]`,
  );
}

function plan(
  cluster: Cluster,
  state: ClusterState,
  { target, source, newName, body }: Rollover,
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): PlannedIndex {
  const { random } = cluster;
  const input = { language: cluster.product.language, random, nowMs };
  const stream = dataStreamsOf(state).get(target);
  if (stream !== undefined) {
    const generation = stream.generation + 1;
    return planBackingIndex(state, { stream: target, generation }, input);
  }
  const { settings, mapping, aliases } = body;
  const given = newName ?? providedName(source);
  return planIndex(state, { name, providedName: given, settings, mapping, aliases }, input);
}

interface ConditionResult {
  readonly condition: Condition;
  readonly isMet: boolean;
}

async function evaluate(
  cluster: Cluster,
  source: IndexMetadata,
  conditions: readonly Condition[],
): Promise<readonly ConditionResult[]> {
  if (conditions.length === 0) return [];
  const { answers } = await cluster.shardStats({
    indices: [source.name],
    indicesOptions: indicesOptions.strictExpandOpenHidden,
    parameters: {},
  });
  const primaries = answers.filter(({ primary }) => primary).map(({ body }) => body);
  const sum = (section: string, key: string): number =>
    primaries.reduce((total, body) => total + numberIn(lookup(body, section), key), 0);
  const measured = {
    max_age: cluster.clock.nowMs() - source.creationDateMs,
    max_docs: sum("docs", "count"),
    max_size: sum("store", "size_in_bytes"),
  };
  return conditions.map((condition) => ({
    condition,
    // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
    isMet: measured[condition.name] >= condition.most,
  }));
}

function numberIn(section: Json | undefined, key: string): number {
  const value = isJsonObject(section) ? lookup(section, key) : undefined;
  return typeof value === "number" ? value : 0;
}

function metJson({ name, most, text }: Condition): JsonObject[string] {
  return name === "max_docs" ? most : text;
}
