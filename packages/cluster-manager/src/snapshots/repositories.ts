/**
 * Repositories as the elected cluster manager uses them: opening, and reading and writing repository data
 * (`BlobStoreRepository.writeIndexGen`).
 *
 * INV-SNAP-5: the generation that is read is the one in force in the cluster state; a generation that is written has a
 * number that was reserved in the cluster state first and never used before. A cluster manager that crashes between the
 * reservation and the task that puts the generation in force leaves an index blob that nobody reads; a listing of the
 * store, in which it is the newest, decides only while the generation is unknown, or the repository read-only.
 */
import {
  CORRUPTED_GENERATION,
  repositoriesOf,
  repositoryMissing,
  UNKNOWN_GENERATION,
  type ClusterState,
  type RepositoryMetadata,
  type Task,
} from "@orrery/cluster-state";
import { BlobError } from "@orrery/ports";
import {
  concurrentModification,
  createNodeRepositories,
  openRepository,
  repositoryError,
  type Repository,
  type RepositoryData,
  type RepositoryDefinition,
  type RepositorySettings,
} from "@orrery/repository";
import { OperationError } from "@orrery/stdx";
import type { ClusterManagerDeps } from "../types.ts";

type RepositoryDeps = Pick<
  ClusterManagerDeps,
  "host" | "transport" | "settings" | "repositoryTypes"
>;

/** An opened repository, with the definition that it was opened by. */
export interface OpenRepository extends Repository {
  readonly settings: RepositorySettings;
  readonly definition: RepositoryDefinition;
}

export interface LoadedRepository {
  readonly repository: OpenRepository;
  readonly data: RepositoryData;
  /** The generation in the cluster state when it was read; may be `UNKNOWN_GENERATION`. */
  readonly expected: number;
}

/** Repositories of one node. */
export interface ManagerRepositories {
  /** Opens a repository by its definition. Throws `OperationError` for an invalid one. */
  open(definition: RepositoryDefinition): OpenRepository;
  /** A registered repository. Throws when it is missing, or its location is not allowed on this node. */
  named(state: ClusterState, name: string): OpenRepository;
  /** A registered repository, without the check of its location. */
  registered(state: ClusterState, name: string): OpenRepository;
  /** The data of the generation in force. A read that failed is repeated when another generation came in force meanwhile. */
  load(applied: () => ClusterState, name: string): Promise<LoadedRepository>;
}

const DISABLED =
  "Could not read repository data because the contents of the repository do not match its expected state. This is likely the result of either concurrently modifying the contents of the repository by a process other than this cluster or an issue with the repository's underlying storage. The repository has been disabled to prevent corrupting its contents. To re-enable it and continue using it please remove the repository from the cluster and add it again to make the cluster recover the known state of the repository from its physical contents.";

/**
 * The repositories of one node.
 * @throws OperationError A setting of the node cannot be read.
 */
export function createManagerRepositories(
  { host, transport, settings: nodeSettings, repositoryTypes }: RepositoryDeps,
  current: () => ClusterState,
): ManagerRepositories {
  const repositories = createNodeRepositories({
    types: repositoryTypes,
    settings: nodeSettings,
    world: { blobs: host.blobs, transport, nodes: () => current().nodes.values() },
  });

  const open = (definition: RepositoryDefinition): OpenRepository => {
    const { name } = definition;
    const settings = repositories.settings(definition);
    const store = repositories.open({ name, address: settings.address });
    return { ...openRepository(name, store, settings), settings, definition };
  };

  const registered = (state: ClusterState, name: string): OpenRepository =>
    open({ name, ...metadataOf(state, name) });

  const named = (state: ClusterState, name: string): OpenRepository => {
    const repository = registered(state, name);
    repositories.check({ name, address: repository.settings.address });
    return repository;
  };

  return {
    open,
    named,
    registered,
    async load(applied, name) {
      // Repeated only if the generation has changed since, which an operation of its own must have done each time.
      for (;;) {
        const { generation: expected } = metadataOf(applied(), name);
        if (expected === CORRUPTED_GENERATION) throw repositoryError(name, DISABLED);
        try {
          return await loadGeneration(named(applied(), name), expected);
        } catch (error) {
          if (metadataOf(applied(), name).generation === expected) throw error;
        }
      }
    },
  };
}

async function loadGeneration(
  repository: OpenRepository,
  expected: number,
): Promise<LoadedRepository> {
  const { name, settings } = repository;
  // A read-only repository is written by another cluster, whose generations this state does not know.
  const isKnown = expected !== UNKNOWN_GENERATION && !settings.isReadOnly;
  const generation = isKnown ? expected : await latestGeneration(repository);
  try {
    return { repository, data: await repository.readData(generation), expected };
  } catch (error) {
    if (error instanceof OperationError && error.problem.type === "repository_exception") {
      throw error;
    }
    throw repositoryError(name, "could not read repository data from index blob", error);
  }
}

async function latestGeneration(repository: Repository): Promise<number> {
  try {
    return await repository.latestGeneration();
  } catch (error) {
    const what = "Could not determine repository generation from root blobs";
    throw repositoryError(repository.name, what, error);
  }
}

function metadataOf(state: ClusterState, name: string): RepositoryMetadata {
  const metadata = repositoriesOf(state).get(name);
  if (metadata === undefined) throw new OperationError(repositoryMissing(name));
  return metadata;
}

/** Reserves a new generation, writes the data under it, and returns its number; the task that puts it in force is the caller's. */
export async function writeNewData(
  deps: {
    readonly applied: () => ClusterState;
    readonly submit: (task: Task) => Promise<unknown>;
  },
  { repository, expected, data: before }: LoadedRepository,
  data: RepositoryData,
): Promise<number> {
  const { name } = repository;
  const { pending_generation: pending } = metadataOf(deps.applied(), name);
  // Above every number ever reserved, by this or a former cluster manager, and above what was found by listing.
  const generation = Math.max(pending, before.generation) + 1;
  await deps.submit({
    kind: "set-repository-generation",
    repository: name,
    expected,
    change: { kind: "reserve", pending: generation },
  });
  try {
    await repository.writeData({ ...data, generation });
  } catch (error) {
    if (!(error instanceof BlobError) || error.kind !== "exists") throw error;
    // The reserved number exists: another cluster writes to this location. Any further write could build on data that
    // this cluster does not know, so the repository is disabled.
    const change = { kind: "corrupted" } as const;
    await deps.submit({ kind: "set-repository-generation", repository: name, expected, change });
    throw concurrentModification(name, before.generation, generation);
  }
  return generation;
}

/** Writes data as `writeNewData` does, and puts it in force. Rejects when another generation came in force meanwhile. */
export async function replaceData(
  deps: Parameters<typeof writeNewData>[0],
  loaded: LoadedRepository,
  data: RepositoryData,
): Promise<RepositoryData> {
  const generation = await writeNewData(deps, loaded, data);
  await deps.submit({
    kind: "set-repository-generation",
    repository: loaded.repository.name,
    expected: loaded.expected,
    change: { kind: "written", generation },
  });
  return { ...data, generation };
}
