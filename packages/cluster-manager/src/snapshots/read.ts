/** Listing of snapshots, running and stored (`TransportGetSnapshotsAction`): `GET _snapshot/{repository}/{snapshot}`. */
import { snapshotMissing, snapshotsOf, type SnapshotEntry } from "@orrery/cluster-state";
import {
  blobProblem,
  isMissing,
  isStoreFailure,
  type RepositoryData,
  type SnapshotInfo,
} from "@orrery/repository";
import { compareText, matchesGlob, OperationError } from "@orrery/stdx";
import type { ManagedBodies } from "../types.ts";
import type { SnapshotDeps } from "./deps.ts";
import { PRODUCT_VERSION } from "./finalize.ts";
import type { LoadedRepository } from "./repositories.ts";

/** Parameters of the listing. */
export interface GetSnapshotsRequest {
  readonly repository: string;
  /** Names, patterns, `_all`, `_current`. */
  readonly snapshots: readonly string[];
  readonly ignoreUnavailable: boolean;
  /** Whether each snapshot's info blob is read; otherwise the answer has only what the repository data contains. */
  readonly verbose: boolean;
}

/** A listed snapshot; the state of a running one is `IN_PROGRESS`. */
export type ShownSnapshot = Omit<SnapshotInfo, "state"> & { readonly state: string };

/** The snapshots, by start time, then name. */
export async function getSnapshots(
  deps: SnapshotDeps,
  request: GetSnapshotsRequest,
): Promise<ManagedBodies["getSnapshots"]> {
  const { repository: name, verbose } = request;
  const running = snapshotsOf(deps.applied()).filter((entry) => entry.repository === name);
  const onlyCurrent =
    request.snapshots.length > 0 && request.snapshots.every((one) => one === "_current");
  const loaded = onlyCurrent ? undefined : await deps.repositories.load(deps.applied, name);
  if (onlyCurrent) deps.repositories.named(deps.applied(), name);
  const chosen = choose(request, running, loaded?.data);
  const shown: ShownSnapshot[] = [];
  for (const uuid of chosen) {
    const entry = running.find((one) => one.uuid === uuid);
    const found =
      entry !== undefined
        ? runningInfo(entry)
        : await storedInfo(loaded, uuid, verbose, request.ignoreUnavailable);
    if (found !== undefined) shown.push(found);
  }
  const sorted = shown.toSorted(
    (a, b) => a.startTimeMs - b.startTimeMs || compareText(a.name, b.name),
  );
  return { snapshots: sorted };
}

/** Uuids of the requested snapshots. Throws `snapshot_missing_exception` for names without a match, unless tolerated. */
function choose(
  { repository, snapshots, ignoreUnavailable }: GetSnapshotsRequest,
  running: readonly SnapshotEntry[],
  data: RepositoryData | undefined,
): ReadonlySet<string> {
  const current = running.map((entry) => ({ name: entry.snapshot, uuid: entry.uuid }));
  const all = [...current, ...(data?.snapshots ?? [])];
  const isAll = snapshots.length === 0 || (snapshots.length === 1 && snapshots[0] === "_all");
  if (isAll) return new Set(all.map(({ uuid }) => uuid));
  const chosen = new Set<string>();
  for (const wanted of snapshots) {
    const matching =
      wanted === "_current"
        ? current
        : all.filter(({ name }) =>
            wanted.includes("*") ? matchesGlob(wanted, name) : name === wanted,
          );
    if (
      matching.length === 0 &&
      wanted !== "_current" &&
      !wanted.includes("*") &&
      !ignoreUnavailable
    ) {
      throw new OperationError(snapshotMissing(repository, wanted));
    }
    for (const { uuid } of matching) chosen.add(uuid);
  }
  const isCurrentOnly = snapshots.every((one) => one === "_current");
  if (chosen.size === 0 && !ignoreUnavailable && !isCurrentOnly) {
    throw new OperationError(snapshotMissing(repository, snapshots[0] ?? ""));
  }
  return chosen;
}

/** Info of a running snapshot; its counts are 0, as in the product. */
export function runningInfo(entry: SnapshotEntry): ShownSnapshot {
  return {
    name: entry.snapshot,
    uuid: entry.uuid,
    version: PRODUCT_VERSION,
    state: "IN_PROGRESS",
    indices: entry.indices.map(({ name }) => name),
    dataStreams: entry.data_streams,
    includeGlobalState: entry.include_global_state,
    ...(entry.metadata === undefined ? {} : { metadata: entry.metadata }),
    startTimeMs: entry.start_time_millis,
    endTimeMs: 0,
    totalShards: 0,
    successfulShards: 0,
    failures: [],
    remoteStoreIndexShallowCopy: entry.remote_store_index_shallow_copy === true,
  };
}

async function storedInfo(
  loaded: LoadedRepository | undefined,
  uuid: string,
  verbose: boolean,
  ignoreUnavailable: boolean,
): Promise<ShownSnapshot | undefined> {
  const record = loaded?.data.snapshots.find((one) => one.uuid === uuid);
  if (loaded === undefined || record === undefined) return undefined;
  if (!verbose) return simpleInfo(loaded.data, record);
  try {
    return await loaded.repository.readInfo(uuid);
  } catch (error) {
    if (ignoreUnavailable) return undefined;
    throw infoError(loaded.repository.name, record, error);
  }
}

function simpleInfo(
  data: RepositoryData,
  record: RepositoryData["snapshots"][number],
): ShownSnapshot {
  const held = data.indices.filter(({ snapshots }) => snapshots.includes(record.uuid));
  return {
    name: record.name,
    uuid: record.uuid,
    version: record.version,
    state: record.state,
    indices: held.map(({ name }) => name).toSorted(compareText),
    dataStreams: [],
    includeGlobalState: false,
    startTimeMs: 0,
    endTimeMs: 0,
    totalShards: 0,
    successfulShards: 0,
    failures: [],
    remoteStoreIndexShallowCopy: false,
  };
}

/** The error for a snapshot that the repository data lists but whose info cannot be read. */
export function infoError(
  repository: string,
  { name, uuid }: { readonly name: string; readonly uuid: string },
  error: unknown,
  what = "failed to get snapshots",
): OperationError {
  if (isMissing(error)) {
    const missing = snapshotMissing(repository, `${name}/${uuid}`);
    return new OperationError({ ...missing, causedBy: blobProblem(error) });
  }
  return new OperationError({
    type: "snapshot_exception",
    reason: `[${repository}:${name}/${uuid}] ${what}`,
    status: 500,
    ...(isStoreFailure(error) ? { causedBy: blobProblem(error) } : {}),
  });
}

/** The error for index metadata that cannot be read: `infoError` for a missing blob, else the error itself. */
export function indexMetadataError(
  repository: string,
  snapshot: { readonly name: string; readonly uuid: string },
  error: unknown,
): unknown {
  return isMissing(error) ? infoError(repository, snapshot, error) : error;
}
