/**
 * Repositories as a cluster-manager-eligible node reaches them, and how it reads and writes their data.
 *
 * INV-SNAP-5: what is read is the generation in force in the cluster state; what is written is a number that was reserved there first
 * and never given out before. A manager that died in between leaves a number that nobody reads.
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

export interface OpenRepository extends Repository {
  readonly settings: RepositorySettings;
  readonly definition: RepositoryDefinition;
}

export interface LoadedRepository {
  readonly repository: OpenRepository;
  readonly data: RepositoryData;
  /** As the cluster state has it: maybe unknown. */
  readonly expected: number;
}

export interface ManagerRepositories {
  /** Throws what is wrong with the definition. */
  open(definition: RepositoryDefinition): OpenRepository;
  /** Throws where it may not be. */
  named(state: ClusterState, name: string): OpenRepository;
  /** As `named`, of a repository that may not be where it says it is. */
  registered(state: ClusterState, name: string): OpenRepository;
  /** Of the generation in force: read again when that has changed meanwhile and what was to be read is gone. */
  load(applied: () => ClusterState, name: string): Promise<LoadedRepository>;
}

const DISABLED =
  "Could not read repository data because the contents of the repository do not match its expected state. This is likely the result of either concurrently modifying the contents of the repository by a process other than this cluster or an issue with the repository's underlying storage. The repository has been disabled to prevent corrupting its contents. To re-enable it and continue using it please remove the repository from the cluster and add it again to make the cluster recover the known state of the repository from its physical contents.";

/** Throws `OperationError` when a setting of the node cannot be read. */
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

/** Writes the data under a new number, which it reserves first. Returns that number; it is not in force yet. */
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
    // Somebody else writes here: whatever is done next could be on top of what is not known.
    const change = { kind: "corrupted" } as const;
    await deps.submit({ kind: "set-repository-generation", repository: name, expected, change });
    throw concurrentModification(name, before.generation, generation);
  }
  return generation;
}

/** Writes the data as `writeNewData` does, and puts it in force. Rejects when another generation came between. */
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
