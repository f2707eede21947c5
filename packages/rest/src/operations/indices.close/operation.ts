/** `indices.close`: blocks writes, commits every copy, then closes the indices. */
import { javaText } from "@orrery/stdx";
import { indicesOptions, type ResolvedIndex } from "@orrery/cluster-state";
import type { Cluster, ShardCounts } from "@orrery/node";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { waitForActiveShards } from "../../indices/active-shards.ts";
import { passBlocks } from "../../indices/blocks.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { activeShards, indexTargets } from "../../parameters.ts";
import { expressionsOf, readState, targetsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

export const indicesClose: Operation = defineOperation({
  group: "indices.close",
  permission: "indices:admin/close",
  routes: ["POST /_close", "POST /{index}/_close"],
  query: { ...acknowledgedParameters, ...indexTargets, wait_for_active_shards: activeShards() },
  deviations: [
    {
      kind: "route",
      name: "POST /_close",
      reason: "routed by the product, not in the description",
    },
  ],

  async handle({ path, query }, cluster) {
    const expressions = expressionsOf(path["index"]);
    validate([expressions.length === 0 && "index is missing"]);
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const named = targetsOf(
      state,
      expressions,
      { ...indicesOptions.strictExpandOpen, includeDataStreams: false },
      { query, nowMs },
    );
    passBlocks(
      state,
      "metadata_write",
      named.map(({ name }) => name),
    );
    // Indices that are already closed are skipped, as in `MetadataIndexStateService.addIndexClosedBlocks`.
    const targets = named.filter(({ metadata }) => metadata.state === "open");
    const indices = targets.map(({ name }) => name);
    if (indices.length === 0)
      return { body: { acknowledged: true, shards_acknowledged: false, indices: {} } };
    const options = submitOptions(query);
    await cluster.submit({ kind: "close-index", step: "block", indices, nowMs }, options);
    const unverified = await verify(cluster, targets);
    const verified = indices.filter((name) => !unverified.has(name));
    const { acknowledged } =
      verified.length === 0
        ? { acknowledged: false }
        : await cluster.submit(
            { kind: "close-index", step: "close", indices: verified, nowMs },
            options,
          );
    const wait = { wanted: query.wait_for_active_shards ?? "0", timeoutMs: query.timeout };
    const areActive = acknowledged && (await waitForActiveShards(cluster, verified, wait));
    const results = indices.map((name) => [name, resultOf(unverified.get(name))]);
    return {
      body: { acknowledged, shards_acknowledged: areActive, indices: Object.fromEntries(results) },
    };
  },
});

/** Verifies the shards. An index with a shard that fails the check stays open. */
async function verify(
  cluster: Cluster,
  targets: readonly ResolvedIndex[],
): Promise<Map<string, ShardCounts>> {
  const failed = new Map<string, ShardCounts>();
  await Promise.all(
    targets.map(async ({ name }) => {
      const { shards } = await cluster.verifyBeforeClose({
        indices: [name],
        indicesOptions: indicesOptions.lenientExpandOpenHidden,
      });
      if (shards.failed > 0) failed.set(name, shards);
    }),
  );
  return failed;
}

function resultOf(shards: ShardCounts | undefined): PrintableObject {
  if (shards === undefined) return { closed: true };
  const failures = shards.failures.map((failure) => [
    javaText(failure["shard"] ?? 0),
    { failures: [failure] },
  ]);
  return { closed: false, failedShards: Object.fromEntries(failures) as PrintableObject };
}
