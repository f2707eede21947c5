/** Requests about repositories and snapshots, as the elected cluster manager answers them: a table with a row for each action. */
import {
  deletionsOf,
  repositoriesOf,
  restoresOf,
  snapshotsOf,
  type SettingsChange,
} from "@orrery/cluster-state";
import { actions } from "@orrery/protocol";
import { repositoryError } from "@orrery/repository";
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { ManagedBodies, ManagedOperation } from "../types.ts";
import { cleanUpRepository } from "./cleanup.ts";
import {
  cloneSnapshot,
  createSnapshot,
  nameComplaintOf,
  type CloneSnapshotRequest,
  type CreateSnapshotRequest,
} from "./create.ts";
import { beginDeletion, isBeingDeleted, type DeleteSnapshotsRequest } from "./delete.ts";
import type { SnapshotDeps } from "./deps.ts";
import type { SnapshotDriver } from "./driver.ts";
import { getSnapshots, infoError, type GetSnapshotsRequest } from "./read.ts";
import { restoreSnapshot, type RestoreSnapshotRequest } from "./restore.ts";
import { snapshotStatus, type SnapshotStatusRequest } from "./status.ts";
import { verifyRepository } from "./verify.ts";

/** Context of the request handlers in one term. */
export interface SnapshotTerm extends SnapshotDeps {
  readonly driver: SnapshotDriver;
}

/** Parameters of the registration of a repository. */
export interface PutRepositoryRequest {
  readonly name: string;
  readonly type: string;
  readonly settings: SettingsChange;
  readonly verify: boolean;
}

type SnapshotActions = {
  readonly [Operation in ManagedOperation as (typeof actions)[Operation]]: (
    term: SnapshotTerm,
    request: never,
  ) => Promise<ManagedBodies[Operation]>;
};

/** Handlers by action. Each may be repeated safely: requests that create something carry its id. */
export const snapshotActions: SnapshotActions = {
  [actions.putRepository]: putRepository,
  [actions.deleteRepository]: async (term, { name }: { readonly name: string }) => {
    await term.submit({ kind: "delete-repository", name });
    return {};
  },
  [actions.verifyRepository]: (term, { name }: { readonly name: string }) =>
    verifyRepository(term, name),
  [actions.cleanUpRepository]: (term, { name }: { readonly name: string }) =>
    cleanUpRepository(term, name),
  [actions.createSnapshot]: (term, request: CreateSnapshotRequest) => createSnapshot(term, request),
  [actions.cloneSnapshot]: (term, request: CloneSnapshotRequest) => cloneSnapshot(term, request),
  [actions.awaitSnapshot]: awaitSnapshot,
  [actions.getSnapshots]: (term, request: GetSnapshotsRequest) => getSnapshots(term, request),
  [actions.snapshotStatus]: (term, request: SnapshotStatusRequest) => snapshotStatus(term, request),
  [actions.deleteSnapshots]: deleteSnapshots,
  [actions.restoreSnapshot]: (term, request: RestoreSnapshotRequest) =>
    restoreSnapshot(term, request),
  [actions.awaitRestore]: awaitRestore,
};

async function putRepository(
  term: SnapshotTerm,
  { name, type, settings, verify }: PutRepositoryRequest,
): Promise<JsonObject> {
  const complaint = nameComplaintOf(name);
  if (complaint !== undefined) throw repositoryError(name, complaint);
  // Parses the settings on this node first; an invalid definition must not get into the state.
  term.repositories.open({ name, type, settings });
  await term.submit({ kind: "put-repository", name, type, settings });
  if (verify) await verifyRepository(term, name);
  return {};
}

/** A snapshot to wait for. */
interface Awaited {
  readonly repository: string;
  readonly snapshot: string;
  readonly uuid: string;
}

/** The snapshot's info, once its entry has left the cluster state. Rejects when it failed or was aborted. */
async function awaitSnapshot(
  term: SnapshotTerm,
  { repository, snapshot, uuid }: Awaited,
): Promise<ManagedBodies["awaitSnapshot"]> {
  const isOver = (state: Parameters<typeof snapshotsOf>[0]): boolean =>
    snapshotsOf(state).every((entry) => entry.uuid !== uuid);
  await term.driver.until(isOver);
  const failure = term.driver.failureOf(uuid);
  if (failure !== undefined) throw new OperationError(failure);
  const { data, repository: opened } = await term.repositories.load(term.applied, repository);
  const record = data.snapshots.find((one) => one.uuid === uuid);
  if (record === undefined) {
    throw new OperationError({
      type: "snapshot_exception",
      reason: `[${repository}:${snapshot}/${uuid}] Snapshot was aborted by deletion`,
      status: 500,
    });
  }
  const info = await opened.readInfo(uuid).catch((error: unknown) => {
    throw infoError(repository, record, error);
  });
  return { snapshot: info };
}

/** Deletes snapshots; resolves when no deletion of them is waiting or running. Rejects when it failed. */
async function deleteSnapshots(
  term: SnapshotTerm,
  request: DeleteSnapshotsRequest,
): Promise<JsonObject> {
  const { uuids } = await beginDeletion(term, request);
  const gone = new Set(Array.isArray(uuids) ? uuids.map(String) : []);
  await term.driver.until((state) => !isBeingDeleted(deletionsOf(state), gone));
  for (const uuid of gone) {
    const failure = term.driver.deletionFailureOf(uuid);
    // Without the repository, which was unregistered meanwhile, there is nothing left that could fail.
    const isThere = repositoriesOf(term.applied()).has(request.repository);
    if (failure !== undefined && isThere) throw new OperationError(failure);
  }
  return {};
}

/** Counts of a restore once it has ended; an empty answer when it ended in an earlier term or was forgotten. */
async function awaitRestore(
  term: SnapshotTerm,
  { uuid }: { readonly uuid: string },
): Promise<JsonObject> {
  await term.driver.until((state) => restoresOf(state).every((entry) => entry.uuid !== uuid));
  const entry = term.driver.restored(uuid);
  if (entry === undefined) return {};
  const failed = entry.shards.filter(({ state }) => state === "FAILURE").length;
  const { snapshot, indices, shards } = entry;
  return { snapshot, indices, total: shards.length, failed };
}
