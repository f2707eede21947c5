/**
 * Drives snapshots, deletions and restores for one term: looks at each applied state and does whatever it asks for that is not being
 * done. Nothing is remembered that the state does not say, so the next manager goes on where this one stopped (INV-SNAP-6).
 */
import {
  cleanupsOf,
  deletionsOf,
  followed,
  isRestoreOver,
  primaryOf,
  restoresOf,
  snapshotProblem,
  snapshotsOf,
  type ClusterState,
  type RestoreEntry,
  type ShardSnapshotEntry,
  type SnapshotDeletion,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import { delay } from "@orrery/ports";
import { actions, ShardAdminRequest, ShardAdminResponse } from "@orrery/protocol";
import { blobProblem, cloneShard, shardFolder } from "@orrery/repository";
import { javaText, newUuid, OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import { notElected } from "../problems.ts";
import { runDeletion } from "./delete.ts";
import type { SnapshotDeps } from "./deps.ts";
import { finalizeSnapshot, repositoryIndex } from "./finalize.ts";
import { createSnapshotTrace } from "./trace.ts";

/** Before a node is asked again that could not be reached, or was not ready. */
const RETRY_MS = 500;
/** The answer may have got lost although both nodes are well. Whoever is asked again joins what runs, or tells how it ended. */
const ANSWER_PATIENCE_MS = 30_000;
/** How work ended that clients may still ask about. */
const REMEMBERED = 256;

export interface SnapshotDriver {
  applied(state: ClusterState): void;
  /** Rejects when the term ends before. */
  until(reached: (state: ClusterState) => boolean): Promise<ClusterState>;
  /** Why a snapshot or a deletion (by the uuid of any of its snapshots) came to nothing in this term. */
  failureOf(uuid: string): Problem | undefined;
  /** How a restore ended in this term. */
  restored(uuid: string): RestoreEntry | undefined;
  end(): void;
}

export function createSnapshotDriver(deps: SnapshotDeps): SnapshotDriver {
  const { host, transport } = deps;
  const running = new Set<string>();
  const failures = new Map<string, Problem>();
  const restores = new Map<string, RestoreEntry>();
  const waiters = new Set<{
    readonly reached: (state: ClusterState) => boolean;
    readonly resolve: (state: ClusterState) => void;
    readonly reject: (error: OperationError) => void;
  }>();
  const trace = createSnapshotTrace(host.trace);
  let isEnded = false;

  const remember = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
    map.set(key, value);
    for (const old of map.keys()) {
      if (map.size <= REMEMBERED) break;
      map.delete(old);
    }
  };

  /** Once at a time by key; looks again afterwards, unless the term is over. */
  const work = (key: string, run: () => Promise<void>): void => {
    if (running.has(key)) return;
    running.add(key);
    const over = (): void => {
      running.delete(key);
      if (!isEnded) look();
    };
    run().then(over, (error: unknown) => {
      // What the state asked for it asks for again, of whoever is elected then.
      const isLost = error instanceof OperationError || isEnded;
      if (!isLost) throw error;
      host.log("warn", `snapshot work [${key}] was not finished: ${blobProblem(error).reason}`);
      running.delete(key);
      if (!isEnded) host.clock.setTimer(RETRY_MS, () => !isEnded && look());
    });
  };

  const report = (
    entry: SnapshotEntry,
    { id, shard }: ShardSnapshotEntry,
    result:
      | { readonly kind: "success"; readonly generation: string }
      | { readonly kind: "failed"; readonly reason: string },
  ): Promise<unknown> =>
    deps.submit({
      kind: "update-snapshot-shards",
      updates: [{ uuid: entry.uuid, id, shard, result }],
    });

  const ask = async (
    action: string,
    { index, shard, node }: ShardSnapshotEntry,
    parameters: unknown,
  ): Promise<JsonObject> => {
    const payload = ShardAdminRequest.encode({
      index: index.index_name,
      indexUuid: index.index_uuid,
      shard,
      allocationId: "",
      parameters: JSON.stringify(parameters),
    }).finish();
    const answer = await transport.request(node ?? deps.localNode.id, action, payload, {
      shard: `${index.index_uuid}/${shard}`,
      timeoutMs: ANSWER_PATIENCE_MS,
    });
    return JSON.parse(ShardAdminResponse.decode(answer).body) as JsonObject;
  };

  /** The shard in the state now, if it still is what it was. */
  const isStill = (entry: SnapshotEntry, shard: ShardSnapshotEntry): boolean => {
    const now = snapshotsOf(deps.applied()).find(({ uuid }) => uuid === entry.uuid);
    const same = now?.shards.find((one) => one.id === shard.id && one.shard === shard.shard);
    return same?.state === shard.state && same.node === shard.node;
  };

  const snapshotOneShard = async (
    entry: SnapshotEntry,
    shard: ShardSnapshotEntry,
  ): Promise<void> => {
    const index = entry.indices.find(({ id }) => id === shard.id);
    if (index === undefined) return;
    while (!isEnded && isStill(entry, shard)) {
      const { definition } = deps.repositories.named(deps.applied(), entry.repository);
      try {
        const { generation } = await ask(actions.snapshotShard, shard, {
          repository: definition,
          snapshot: { name: entry.snapshot, uuid: entry.uuid },
          index: repositoryIndex(index),
          baseGeneration: shard.generation,
        });
        await report(entry, shard, { kind: "success", generation: javaText(generation) });
        return;
      } catch (error) {
        if (!(error instanceof OperationError) || isEnded) throw error;
        const { problem } = error;
        const isEarly = problem.isRetryable === true && isPrimaryHere(deps.applied(), shard);
        if (!isUnreachable(problem) && !isEarly) {
          await report(entry, shard, { kind: "failed", reason: problem.reason ?? "" });
          return;
        }
        await delay(host.clock, RETRY_MS);
      }
    }
  };

  const abortShard = async (entry: SnapshotEntry, shard: ShardSnapshotEntry): Promise<void> => {
    while (shard.node !== undefined && !isEnded && isStill(entry, shard)) {
      try {
        await ask(actions.abortSnapshotShard, shard, { uuid: entry.uuid });
        break;
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        if (!isUnreachable(error.problem)) break;
        await delay(host.clock, RETRY_MS);
      }
    }
    if (isEnded) return;
    await report(entry, shard, { kind: "failed", reason: "aborted by snapshot deletion" });
  };

  const cloneOneShard = async (entry: SnapshotEntry, shard: ShardSnapshotEntry): Promise<void> => {
    const index = entry.indices.find(({ id }) => id === shard.id);
    const source = entry.clone_source;
    if (index === undefined || source === undefined) return;
    const { store, settings } = deps.repositories.named(deps.applied(), entry.repository);
    try {
      const generation = await cloneShard(store, {
        folder: shardFolder(repositoryIndex(index), shard.shard),
        generation: shard.generation,
        sourceUuid: source.uuid,
        target: { name: entry.snapshot, uuid: entry.uuid },
        compression: settings.compression,
        newId: () => newUuid(deps.random),
        nowMs: host.clock.nowMs(),
      });
      if (!isEnded) await report(entry, shard, { kind: "success", generation });
    } catch (error) {
      if (isEnded) throw error;
      const { reason } = blobProblem(error);
      await report(entry, shard, { kind: "failed", reason: reason ?? "" });
    }
  };

  const shardWork = (entry: SnapshotEntry, shard: ShardSnapshotEntry): void => {
    const key = `${entry.uuid}/${shard.id}/${shard.shard}/${shard.node ?? ""}`;
    if (shard.state === "ABORTED") work(`abort/${key}`, () => abortShard(entry, shard));
    if (shard.state !== "INIT") return;
    const run = entry.clone_source === undefined ? snapshotOneShard : cloneOneShard;
    work(`shard/${key}`, () => run(entry, shard));
  };

  /** In a repository one thing at a time is written; in the order in which shards were. */
  const repositoryWork = (state: ClusterState): void => {
    const blocked = new Set<string>();
    for (const entry of snapshotsOf(state)) {
      const keys = entry.shards.map(({ id, shard }) => `${entry.repository}/${id}/${shard}`);
      const isFirst = keys.every((key) => !blocked.has(key));
      for (const key of keys) blocked.add(key);
      if (entry.state === "SUCCESS" && isFirst) {
        work(`repository/${entry.repository}`, () => finalize(entry));
      }
    }
    for (const deletion of deletionsOf(state)) {
      if (deletion.state !== "STARTED") continue;
      work(`repository/${deletion.repository}`, () => carryOut(deletion));
    }
  };

  const finalize = async (entry: SnapshotEntry): Promise<void> => {
    if (snapshotsOf(deps.applied()).every(({ uuid }) => uuid !== entry.uuid)) return;
    const place = `${entry.repository}:${entry.snapshot}/${entry.uuid}`;
    const broken = entry.shards.find(({ state }) => state === "FAILED");
    if (entry.clone_source !== undefined && broken !== undefined) {
      // All of it or nothing. The product does not say why, either.
      host.log("warn", `[${place}] removing failed snapshot clone: ${broken.reason}`);
      remember(failures, entry.uuid, snapshotProblem(place, "null"));
      await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid });
      return;
    }
    try {
      await finalizeSnapshot(deps, entry);
    } catch (error) {
      if (isEnded || isRetried(error)) throw error;
      const problem = failed(place, "failed to update snapshot in repository", error);
      if (snapshotsOf(deps.applied()).every(({ uuid }) => uuid !== entry.uuid)) {
        // It is in the repository; what could not be removed is cleaned up another time.
        host.log("warn", `${problem.reason}: ${problem.causedBy?.reason}`);
        return;
      }
      remember(failures, entry.uuid, problem);
      await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid });
    }
  };

  const carryOut = async (deletion: SnapshotDeletion): Promise<void> => {
    if (deletionsOf(deps.applied()).every(({ uuid }) => uuid !== deletion.uuid)) return;
    try {
      await runDeletion(deps, deletion);
    } catch (error) {
      if (isEnded || isRetried(error)) throw error;
      const names = deletion.snapshots.map(({ name }) => name).join(", ");
      const place = `${deletion.repository}:${names}`;
      const problem = failed(place, "failed to delete snapshots", error);
      for (const { uuid } of deletion.snapshots) remember(failures, uuid, problem);
      await deps.submit({ kind: "finish-deletion", uuid: deletion.uuid });
    }
  };

  const look = (): void => {
    const state = deps.applied();
    if (followed(state) !== state) {
      work("follow", async () => void (await deps.submit({ kind: "follow-repositories" })));
    }
    for (const entry of snapshotsOf(state)) {
      for (const shard of entry.shards) shardWork(entry, shard);
    }
    repositoryWork(state);
    for (const entry of restoresOf(state)) {
      if (!isRestoreOver(entry)) continue;
      remember(restores, entry.uuid, entry);
      work(`restore/${entry.uuid}`, async () => {
        await deps.submit({ kind: "finish-restore", uuid: entry.uuid });
      });
    }
  };

  /** Of a manager before this one: nobody works on it any more. */
  const endCleanups = (): void => {
    for (const { uuid } of cleanupsOf(deps.applied())) {
      work(`cleanup/${uuid}`, async () => {
        await deps.submit({ kind: "finish-repository-cleanup", uuid });
      });
    }
  };
  endCleanups();
  look();

  return {
    applied(state) {
      trace(state);
      look();
      for (const waiter of [...waiters]) {
        if (!waiter.reached(state)) continue;
        waiters.delete(waiter);
        waiter.resolve(state);
      }
    },
    until: (reached) =>
      new Promise((resolve, reject) => {
        if (isEnded) reject(notElected("node is no longer cluster-manager"));
        else if (reached(deps.applied())) resolve(deps.applied());
        else waiters.add({ reached, resolve, reject });
      }),
    failureOf: (uuid) => failures.get(uuid),
    restored: (uuid) => restores.get(uuid),
    end() {
      isEnded = true;
      for (const { reject } of waiters) reject(notElected("node is no longer cluster-manager"));
      waiters.clear();
    },
  };
}

const unreachable: ReadonlySet<string> = new Set([
  "node_disconnected_exception",
  "node_not_connected_exception",
  "node_closed_exception",
  "receive_timeout_transport_exception",
  "rejected_execution_exception",
  "action_not_found_transport_exception",
]);

function isUnreachable({ type }: Problem): boolean {
  return unreachable.has(type);
}

/** Its node that says otherwise has not applied the state that says so. */
function isPrimaryHere(state: ClusterState, { index, shard, node }: ShardSnapshotEntry): boolean {
  if (state.metadata.indices.get(index.index_name)?.uuid !== index.index_uuid) return false;
  const primary = primaryOf(state, index.index_name, shard);
  return primary?.state === "STARTED" && primary.nodeId === node;
}

/** The cluster state moved on meanwhile, or did not take it: not the repository's fault. */
function isRetried(error: unknown): boolean {
  if (!(error instanceof OperationError)) return false;
  const { type } = error.problem;
  return (
    type === "repository_changed" ||
    type === "not_cluster_manager_exception" ||
    type === "failed_to_commit_cluster_state_exception"
  );
}

function failed(place: string, what: string, error: unknown): Problem {
  return {
    type: "snapshot_exception",
    reason: `[${place}] ${what}`,
    status: 500,
    causedBy: blobProblem(error),
  };
}
