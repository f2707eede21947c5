/** Rounds of the elected cluster manager: what each kind of work decides, and reports about copies of one shard together. */
import { parseCommands } from "@orrery/allocation";
import {
  coreRules,
  applyEntry,
  applyTask,
  completeIndexSettings,
  initialState,
  relocationTarget,
  type ClusterState,
  type ShardRouting,
  type Task,
} from "@orrery/cluster-state";
import type { ShardFailedRequest, ShardStartedRequest } from "@orrery/protocol";
import { defined, newUuid, type AllocationId, type IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { decide, type Decision, type Work } from "../src/decide.ts";
import { node as nodeNamed } from "./nodes.ts";
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

/** A cluster of two nodes whose rounds are decided and applied one after the other. */
function rounds() {
  let state = initialState("test");
  let version = 0;
  let ids = 0;
  const apply = (entry: Decision["entry"]): void => {
    version += 1;
    if (entry !== undefined)
      state = applyEntry(state, entry, { term: 1, index: version }, coreRules);
  };
  const round = (...works: readonly Work[]): Decision => {
    const newAllocationId = (): AllocationId => {
      ids += 1;
      return `copy-${ids}` as AllocationId;
    };
    const decision = decide(state, works, { nowMs: 0, newAllocationId }, coreRules);
    apply(decision.entry);
    return decision;
  };
  for (const task of [
    { kind: "become-cluster-manager", node: nodeNamed("n1"), joined: [], clusterUuid: "u" },
    { kind: "node-join", node: nodeNamed("n2") },
    { kind: "recover-state", nowMs: 0 },
  ] satisfies Task[]) {
    const outcome = applyTask(state, task, coreRules);
    if (outcome.kind === "updated") state = outcome.state;
  }
  return {
    round,
    state: () => state,
    copies: () => state.routingTable.get("books")?.shards[0] ?? [],
    inSync: () => state.metadata.indices.get("books")?.inSyncAllocationIds[0] ?? [],
  };
}

function work(id: string, task: Task): Work {
  return { kind: "task", id, task };
}

function creation(state: ClusterState, name = "books"): Task {
  const index = { name, uuid: `${name}-uuid` as IndexUuid, creationDateMs: 1 };
  const settings = completeIndexSettings(state, { ...index, requested: {} });
  return { kind: "create-index", ...index, settings, mapping: {}, aliases: {} };
}

/** `books` with one replica, both copies started. */
function withStartedCopies() {
  const made = rounds();
  made.round(work("t", creation(made.state())));
  for (const isPrimary of [true, false]) {
    const copy = defined(
      made.copies().find(({ primary }) => primary === isPrimary),
      "copy",
    );
    made.round(started(made.state(), copy));
  }
  return made;
}

const reroute: Work = { kind: "reroute", reason: "test", retryFailed: false };

describe("task", () => {
  test("changes the state, and places the copies that follow from it, in one entry", () => {
    const made = rounds();

    const { verdicts, entry, taskIds } = made.round(work("t", creation(made.state())));

    expect(verdicts).toEqual([{ kind: "accepted" }]);
    expect(taskIds).toEqual(["t"]);
    expect(entry?.tasks.map(({ kind }) => kind)).toEqual(["create-index"]);
    expect(made.copies().map(({ primary, state }) => [primary, state])).toEqual([
      [true, "INITIALIZING"],
      [false, "UNASSIGNED"],
    ]);
  });

  test("is left out of the entry when it is rejected, malformed or without effect", () => {
    const made = rounds();
    made.round(work("first", creation(made.state())));

    const { verdicts, entry, taskIds } = made.round(
      work("again", creation(made.state())),
      work("malformed", { kind: "node-left" } as Task),
      work("late", { kind: "recover-state", nowMs: 0 }),
    );

    expect(verdicts).toMatchObject([
      { kind: "rejected", problem: { type: "resource_already_exists_exception" } },
      { kind: "rejected", problem: { status: 400 } },
      { kind: "accepted" },
    ]);
    expect([entry, taskIds]).toEqual([undefined, []]);
  });
});

describe("shard-started", () => {
  test("starts the copy, and puts it into the in-sync set", () => {
    const made = rounds();
    made.round(work("t", creation(made.state())));
    const [primary] = made.copies();

    made.round(started(made.state(), defined(primary, "primary")));

    expect(made.copies().map(({ state }) => state)).toEqual(["STARTED", "INITIALIZING"]);
    expect(made.inSync()).toEqual([primary?.allocationId]);
  });

  test("is acknowledged without effect for a copy that is gone, or primary in another term", () => {
    const made = rounds();
    made.round(work("t", creation(made.state())));
    const primary = defined(made.copies()[0], "primary");
    const gone = { ...primary, allocationId: "gone" as AllocationId };
    const late = started(made.state(), primary);
    if (late.kind !== "shard-started") throw new Error(late.kind);
    const fenced: Work = { ...late, report: { ...late.report, primaryTerm: 9 } };

    const { verdicts, entry } = made.round(started(made.state(), gone), fenced);

    expect(verdicts).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(entry).toBeUndefined();
  });
});

describe("shard-failed", () => {
  test("takes a replica that its primary reports out of the in-sync set, and places it anew", () => {
    const made = withStartedCopies();
    const [primary, replica] = made.copies();
    expect(made.inSync()).toEqual([primary?.allocationId, replica?.allocationId]);

    made.round(failed(made.state(), defined(replica, "replica"), 1));

    expect(made.inSync()).toEqual([primary?.allocationId]);
    expect(made.copies()[1]?.allocationId).not.toBe(replica?.allocationId);
    expect(made.copies()[1]?.unassignedInfo).toMatchObject({
      reason: "ALLOCATION_FAILED",
      failedAllocations: 1,
    });
  });

  test("promotes the replica under a new term when the primary has failed", () => {
    const made = withStartedCopies();
    const [primary, replica] = made.copies();

    made.round(failed(made.state(), defined(primary, "primary"), 0));

    const now = made.copies().find((copy) => copy.primary);
    expect(now?.allocationId).toBe(replica?.allocationId);
    expect(made.state().metadata.indices.get("books")?.primaryTerms).toEqual([2]);
  });

  test("is rejected from a primary of an earlier term", () => {
    const made = withStartedCopies();
    const replica = defined(made.copies()[1], "replica");

    const { verdicts, entry } = made.round(failed(made.state(), replica, 7));

    expect(verdicts).toMatchObject([
      {
        kind: "rejected",
        problem: {
          type: "no_longer_primary_shard_exception",
          reason: "primary term [7] did not match current primary term [1]",
        },
      },
    ]);
    expect(entry).toBeUndefined();
  });
});

describe("reroute", () => {
  test("proposes nothing while each copy is where it belongs", () => {
    const made = withStartedCopies();

    expect(made.round(reroute).entry).toBeUndefined();
  });

  test("allocates a copy again that failed too often only if it is told to retry", () => {
    const made = rounds();
    made.round(work("t", creation(made.state())));
    for (let failures = 0; failures < 5; failures += 1) {
      const primary = defined(made.copies()[0], "primary");
      made.round(failed(made.state(), primary, 0));
      made.round(reroute);
    }
    expect(made.copies()[0]).toMatchObject({
      state: "UNASSIGNED",
      unassignedInfo: { failedAllocations: 5 },
    });

    made.round({ ...reroute, retryFailed: true });

    expect(made.copies()[0]?.state).toBe("INITIALIZING");
  });
});

describe("commands", () => {
  const commands = (node: string, dryRun: boolean): Work => ({
    kind: "commands",
    commands: parseCommands({
      commands: [{ cancel: { index: "books", shard: 0, node, allow_primary: true } }],
    }),
    options: { explain: false, retryFailed: false },
    dryRun,
  });
  const holder = (made: ReturnType<typeof rounds>): string => {
    const nodeId = made.copies().find(({ primary }) => !primary)?.nodeId;
    return nodeId === undefined ? "" : (made.state().nodes.get(nodeId)?.name ?? "");
  };

  test("change the routing table, and answer with the resulting state", () => {
    const made = withStartedCopies();
    const before = made.copies();

    const { verdicts, entry } = made.round(commands(holder(made), false));

    expect(entry?.tasks).toEqual([]);
    expect(made.copies()[1]?.allocationId).not.toBe(before[1]?.allocationId);
    expect(verdicts).toMatchObject([
      { kind: "accepted", state: { routingTable: made.state().routingTable } },
    ]);
  });

  test("propose nothing in a dry run, which answers with the state that would result", () => {
    const made = withStartedCopies();
    const before = made.copies();

    const { verdicts, entry } = made.round(commands(holder(made), true));
    const [verdict] = verdicts;

    expect(entry).toBeUndefined();
    expect(made.copies()).toEqual(before);
    if (verdict?.kind !== "accepted") throw new Error("rejected");
    const copy = verdict.state?.routingTable.get("books")?.shards[0]?.[1];
    expect(copy?.allocationId).not.toBe(before[1]?.allocationId);
  });

  test("are rejected as a whole when one of them cannot be executed", () => {
    const made = withStartedCopies();

    const { verdicts, entry } = made.round(commands("n9", false));

    expect(verdicts).toMatchObject([{ kind: "rejected", problem: { status: 400 } }]);
    expect(entry).toBeUndefined();
  });
});
