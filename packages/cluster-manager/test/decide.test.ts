/** Reports about copies of one shard that are judged in one round. */
import {
  coreRules,
  applyEntry,
  completeIndexSettings,
  relocationTarget,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { ShardFailedRequest, ShardStartedRequest } from "@orrery/protocol";
import { defined, newUuid, type AllocationId, type IndexUuid } from "@orrery/stdx";
import { expect, test } from "vitest";
import { decide, type Work } from "../src/decide.ts";
import { createWorld, startThree, type Process } from "./world.ts";

/** A started primary that moves to another node, and where it moves to. */
async function relocating(): Promise<{
  readonly state: ClusterState;
  readonly source: ShardRouting;
  readonly target: ShardRouting;
}> {
  const world = createWorld("moves");
  const [through] = (await startThree(world)) as [Process];
  const uuid = newUuid(world.random) as IndexUuid;
  const requested = { "index.number_of_shards": "1", "index.number_of_replicas": "0" };
  const index = { name: "books", uuid, creationDateMs: 1 };
  const settings = completeIndexSettings(through.manager.state(), { ...index, requested });
  await world.settle(
    through.manager.submit({ kind: "create-index", ...index, settings, mapping: {}, aliases: {} }),
  );
  const primary = (): ShardRouting | undefined =>
    through.manager.state().routingTable.get("books")?.shards[0]?.[0];
  await world.until(() => primary()?.state === "STARTED", 300);
  const from = world.processes().find(({ node }) => node.id === primary()?.nodeId) as Process;
  const to = world.processes().find((process) => process !== from) as Process;
  const move = { index: "books", shard: 0, from_node: from.name, to_node: to.name };
  const { state } = await world.settle(
    through.manager.reroute({
      ...{ commands: [{ move }], explain: false, retryFailed: false, dryRun: true },
      ...{ managerTimeoutMs: 1000, ackTimeoutMs: 1000 },
    }),
  );
  const source = defined(state.routingTable.get("books")?.shards[0]?.[0], "the primary");
  return { state, source, target: defined(relocationTarget(source), "its target") };
}

function reportOf(state: ClusterState, copy: ShardRouting) {
  const indexUuid = state.metadata.indices.get("books")?.uuid ?? "";
  const allocationId = copy.allocationId ?? "";
  return { index: "books", indexUuid, shard: 0, allocationId, message: "a test says so" };
}

const started = (state: ClusterState, copy: ShardRouting): Work => ({
  kind: "shard-started",
  report: { ...reportOf(state, copy), primaryTerm: 1 } as ShardStartedRequest,
});

/** `primaryTerm` 0: by the node of the copy itself; otherwise by its primary. */
const failed = (state: ClusterState, copy: ShardRouting, primaryTerm: number): Work => ({
  kind: "shard-failed",
  report: {
    ...{ ...reportOf(state, copy), primaryTerm },
    ...{ markAsStale: primaryTerm > 0, problem: null },
  } as ShardFailedRequest,
  problem: undefined,
});

const inputs = { nowMs: 0, newAllocationId: () => "another" as AllocationId };

test("a relocation target that has started stays the primary when its source fails in the same round", async () => {
  const { state, source, target } = await relocating();

  const { verdicts, entry } = decide(
    state,
    [started(state, target), failed(state, source, 0), failed(state, source, 1)],
    inputs,
    coreRules,
  );

  const after = applyEntry(state, defined(entry, "a change"), { term: 1, index: 99 }, coreRules);
  expect(verdicts.map(({ kind }) => kind)).toEqual(["accepted", "accepted", "accepted"]);
  expect(after.routingTable.get("books")?.shards[0]).toMatchObject([
    { allocationId: target.allocationId, state: "STARTED", primary: true },
  ]);
  const { inSyncAllocationIds, primaryTerms } = defined(after.metadata.indices.get("books"), "it");
  expect([inSyncAllocationIds, primaryTerms]).toEqual([[[target.allocationId]], [1]]);
});

test("a primary whose source failed earlier in the round is told that its term is over", async () => {
  const { state, source } = await relocating();

  const { verdicts, entry } = decide(
    state,
    [failed(state, source, 0), failed(state, source, 1)],
    inputs,
    coreRules,
  );

  const after = applyEntry(state, defined(entry, "a change"), { term: 1, index: 99 }, coreRules);
  expect(verdicts).toMatchObject([
    { kind: "accepted" },
    { kind: "rejected", problem: { type: "no_longer_primary_shard_exception" } },
  ]);
  expect(after.metadata.indices.get("books")?.primaryTerms).toEqual([2]);
});
