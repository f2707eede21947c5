/**
 * Begin of snapshots and clones (`SnapshotsService.executeSnapshot`, `cloneSnapshot`): validates the name, resolves the
 * indices and their ids in the repository, and submits `create-snapshot`.
 *
 * The repository is read before the task is proposed, so the task carries the generation that was read; the reducer
 * rejects it when another generation is in force by then, and `inForce` repeats the whole attempt.
 */
import {
  dataStreamsOf,
  indicesOptions,
  invalidSnapshotName,
  resolveDateMath,
  resolveIndices,
  snapshotMissing,
  snapshotProblem,
  snapshotsOf,
  withParameters,
  type ClusterState,
  type NewSnapshotIndex,
} from "@orrery/cluster-state";
import {
  indicesOf,
  repositoryError,
  snapshotNamed,
  type IndexRecord,
  type RepositoryData,
  type ShardPathType,
} from "@orrery/repository";
import { newUuid, OperationError, type JsonObject } from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";
import { filterNames, lenient } from "./filter-names.ts";
import { infoError } from "./read.ts";
import { replaceData, type LoadedRepository } from "./repositories.ts";

/** Parameters of a snapshot. */
export interface CreateSnapshotRequest {
  readonly repository: string;
  /** Name of the snapshot, which may contain date math. */
  readonly snapshot: string;
  /** Uuid of the snapshot, drawn by the requesting node: it identifies retries (INV-SNAP-9). */
  readonly uuid: string;
  readonly indices: readonly string[];
  readonly indicesOptions: {
    readonly ignore_unavailable?: boolean;
    readonly allow_no_indices?: boolean;
    readonly expand_wildcards?: readonly string[];
  };
  readonly includeGlobalState: boolean;
  readonly partial: boolean;
  readonly metadata?: JsonObject;
}

/** Parameters of a clone; `uuid` is that of the target. */
export interface CloneSnapshotRequest {
  readonly repository: string;
  readonly source: string;
  readonly target: string;
  readonly uuid: string;
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
  readonly allowNoIndices: boolean;
}

const FORBIDDEN = [" ", '"', "*", "\\", "<", "|", ",", ">", "/", "?"];

/** The first rule that a name of a repository or snapshot violates, in the product's words; undefined for a valid name. */
export function nameComplaintOf(name: string): string | undefined {
  if (name === "") return "cannot be empty";
  if (name.includes("#")) return "must not contain '#'";
  return FORBIDDEN.some((letter) => name.includes(letter))
    ? `must not contain the following characters [${FORBIDDEN.join(", ")}]`
    : undefined;
}

function snapshotNameComplaint(name: string): string | undefined {
  if (name === "") return "cannot be empty";
  if (/\s/.test(name)) return "must not contain whitespace";
  if (name.includes(",")) return "must not contain ','";
  if (name.includes("#")) return "must not contain '#'";
  if (name.startsWith("_")) return "must not start with '_'";
  if (name !== name.toLowerCase()) return "must be lowercase";
  return nameComplaintOf(name);
}

/** Begins a snapshot; resolves when its entry is in the cluster state, before any shard is read. */
export async function createSnapshot(
  deps: SnapshotDeps,
  request: CreateSnapshotRequest,
): Promise<JsonObject> {
  const { repository: name, uuid } = request;
  const snapshot = resolveDateMath(request.snapshot, deps.host.clock.nowMs());
  return inForce(async () => {
    const loaded = await begun(deps, await loadForNew(deps, name, snapshot));
    // The state may be newer than the data that was read: if a generation came in force between, the task is rejected.
    const state = deps.applied();
    if (isKnown(deps, state, loaded.data, uuid)) return {};
    checkName(loaded.data, name, snapshot);
    const options = withParameters(indicesOptions.strictExpandOpenHidden, request.indicesOptions);
    const resolved = resolveIndices(state, request.indices, options, deps.host.clock.nowMs());
    const ids = idsOf(deps, state, loaded);
    await deps.submitOnce(taskIdOf(uuid), {
      kind: "create-snapshot",
      repository: name,
      snapshot,
      uuid,
      repositoryGeneration: loaded.expected,
      indices: resolved.map((index) => ids(index.name)),
      dataStreams: namedDataStreams(state, request.indices),
      includeGlobalState: request.includeGlobalState,
      partial: request.partial,
      ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
      ...shallow(loaded.repository.settings.isShallow),
      nowMs: deps.host.clock.nowMs(),
    });
    return {};
  });
}

function shallow(isShallow: boolean): { readonly remoteStoreIndexShallowCopy?: true } {
  return isShallow ? { remoteStoreIndexShallowCopy: true } : {};
}

/** Data streams that the expressions match as a whole. A stream of which only backing indices match is not included. */
function namedDataStreams(state: ClusterState, expressions: readonly string[]): readonly string[] {
  const names = [...dataStreamsOf(state).keys()];
  return filterNames(names, expressions, lenient);
}

/** Repeats an attempt, 16 times at most, until the generation that it read is still in force when its task is applied. */
export async function inForce(attempt: () => Promise<JsonObject>): Promise<JsonObject> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOld = error instanceof OperationError && error.problem.type === "repository_changed";
      if (!isOld || tries === MOST_TRIES) throw error;
    }
  }
}

const MOST_TRIES = 16;

/** The repository for a new snapshot, once the name is valid and the repository is writable. */
async function loadForNew(
  deps: SnapshotDeps,
  name: string,
  snapshot: string,
): Promise<LoadedRepository> {
  const { settings } = deps.repositories.registered(deps.applied(), name);
  const complaint = snapshotNameComplaint(snapshot);
  if (complaint !== undefined) {
    throw new OperationError(invalidSnapshotName(name, snapshot, complaint));
  }
  if (settings.isReadOnly) {
    throw repositoryError(name, "cannot create snapshot in a readonly repository");
  }
  return deps.repositories.load(deps.applied, name);
}

/**
 * INV-SNAP-10: a repository has a generation, an empty one at first, before anything else is written to it. Blobs in a
 * location without a generation are therefore the remains of a repository whose index blob was lost, and never those of
 * a first snapshot that failed; such a location can be refused.
 */
async function begun(deps: SnapshotDeps, loaded: LoadedRepository): Promise<LoadedRepository> {
  if (loaded.data.generation >= 0) return loaded;
  const data = await replaceData(deps, loaded, loaded.data);
  return { ...loaded, data, expected: data.generation };
}

/** Id of the task that begins a snapshot. */
function taskIdOf(uuid: string): string {
  return `create-snapshot ${uuid}`;
}

/** INV-SNAP-9: whether the snapshot was begun before, by this or a former cluster manager; it may have ended or been deleted since. */
function isKnown(
  { wasApplied }: SnapshotDeps,
  state: ClusterState,
  data: RepositoryData,
  uuid: string,
): boolean {
  if (wasApplied(taskIdOf(uuid))) return true;
  const all: readonly { readonly uuid: string }[] = [...snapshotsOf(state), ...data.snapshots];
  return all.some((one) => one.uuid === uuid);
}

function checkName(data: RepositoryData, repository: string, snapshot: string): void {
  if (snapshotNamed(data, snapshot) === undefined) return;
  const what = "snapshot with the same name already exists";
  throw new OperationError(invalidSnapshotName(repository, snapshot, what));
}

/** Ids of indices in the repository: the existing one, else that of a running snapshot, which will write it, else a new one. */
function idsOf(
  { random }: SnapshotDeps,
  state: ClusterState,
  { data, repository }: LoadedRepository,
): (name: string) => NewSnapshotIndex {
  const running = snapshotsOf(state)
    .filter((entry) => entry.repository === repository.name)
    .flatMap(({ indices }) => indices);
  return (name) => {
    const kept = data.indices.find((index) => index.name === name);
    if (kept !== undefined) {
      const { id, pathType: path_type, shardGenerations: generations } = kept;
      return { name, id, path_type, generations };
    }
    const promised = running.find((index) => index.name === name);
    if (promised !== undefined) return { ...promised, generations: [] };
    const { pathType: path_type } = repository.settings;
    return { name, id: newUuid(random), path_type, generations: [] };
  };
}

/** An index of a repository, as the product prints it. */
function describeIndex({ name, id, pathType }: IndexRecord): string {
  return `[${name}/${id}/${PATH_TYPES.indexOf(pathType)}]`;
}

const PATH_TYPES: readonly ShardPathType[] = ["FIXED", "HASHED_PREFIX", "HASHED_INFIX"];

/** Begins a clone of a snapshot within its repository; resolves when its entry is in the cluster state. */
export async function cloneSnapshot(
  deps: SnapshotDeps,
  request: CloneSnapshotRequest,
): Promise<JsonObject> {
  const { repository: name, source, target, uuid } = request;
  return inForce(async () => {
    const loaded = await loadForNew(deps, name, target);
    const { data, repository } = loaded;
    if (isKnown(deps, deps.applied(), data, uuid)) return {};
    checkName(data, name, target);
    const record = snapshotNamed(data, source);
    if (record === undefined) throw new OperationError(snapshotMissing(name, source));
    const held = indicesOf(data, record.uuid);
    const names = filterNames(
      held.map((index) => index.name),
      request.indices,
      request,
    );
    if (names.length === 0) {
      const pattern = request.indices.join(",");
      const place = `${source}/${record.uuid}`;
      const what = `No indices in the source snapshot [${place}] matched requested pattern [${pattern}]`;
      throw new OperationError(snapshotProblem(`${name}:${place}`, what));
    }
    const wanted = held.filter((index) => names.includes(index.name));
    const info = await repository.readInfo(record.uuid).catch((error: unknown) => {
      throw infoError(name, record, error);
    });
    const { failures } = info;
    const failed = wanted.find((index) => failures.some((failure) => failure.index === index.name));
    if (failed !== undefined) {
      const what = `Can't clone index [${describeIndex(failed)}] because its snapshot was not successful.`;
      throw new OperationError(snapshotProblem(`${name}:${target}/${uuid}`, what));
    }
    const indices = wanted.map(({ name: index, id, pathType, shardGenerations }) => ({
      name: index,
      id,
      path_type: pathType,
      generations: shardGenerations,
    }));
    await deps.submitOnce(taskIdOf(uuid), {
      kind: "create-snapshot",
      repository: name,
      snapshot: target,
      uuid,
      repositoryGeneration: loaded.expected,
      indices,
      // A clone has the source's global state; finalization finds whether there is any.
      includeGlobalState: true,
      partial: false,
      metadata: {},
      ...shallow(info.remoteStoreIndexShallowCopy),
      nowMs: deps.host.clock.nowMs(),
      cloneSource: { name: source, uuid: record.uuid },
    });
    return {};
  });
}
