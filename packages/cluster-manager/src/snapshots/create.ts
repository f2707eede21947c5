/** Begins snapshots and clones: checks names, resolves indices, gives them their ids in the repository. */
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

export interface CreateSnapshotRequest {
  readonly repository: string;
  readonly snapshot: string;
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

/** What is wrong with the name of a repository or snapshot, in the words both share. */
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

export async function createSnapshot(
  deps: SnapshotDeps,
  request: CreateSnapshotRequest,
): Promise<JsonObject> {
  const { repository: name, uuid } = request;
  const snapshot = resolveDateMath(request.snapshot, deps.host.clock.nowMs());
  return inForce(async () => {
    const loaded = await begun(deps, await loadForNew(deps, name, snapshot));
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

/** Those that names and patterns mean, and not only some of their backing indices. */
function namedDataStreams(state: ClusterState, expressions: readonly string[]): readonly string[] {
  const names = [...dataStreamsOf(state).keys()];
  return filterNames(names, expressions, lenient);
}

/** The answer of the first attempt that was decided on the generation in force. */
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
 * INV-SNAP-10: a repository has a generation before anything else is written to it, an empty one at first. What lies in a place without
 * any is thus what is left of a repository, and never that of a first snapshot which came to nothing.
 */
async function begun(deps: SnapshotDeps, loaded: LoadedRepository): Promise<LoadedRepository> {
  if (loaded.data.generation >= 0) return loaded;
  const data = await replaceData(deps, loaded, loaded.data);
  return { ...loaded, data, expected: data.generation };
}

/** Of the task that takes up a snapshot. */
function taskIdOf(uuid: string): string {
  return `create-snapshot ${uuid}`;
}

/** A manager before this one has taken it up; it may have been aborted and be gone since. */
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

/** An index keeps the id it has in the repository, or that a running snapshot has given it. */
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

/** As the product prints an index of a repository. */
function describeIndex({ name, id, pathType }: IndexRecord): string {
  return `[${name}/${id}/${PATH_TYPES.indexOf(pathType)}]`;
}

const PATH_TYPES: readonly ShardPathType[] = ["FIXED", "HASHED_PREFIX", "HASHED_INFIX"];

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
      // Whether the source has any: what it has is what the clone has.
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
