/**
 * Repositories as a shard worker opens them: the blob store, and one rate limit for all its shards in each direction.
 */
import type { BlobStore, Clock } from "@orrery/ports";
import { repositoriesOf, type ClusterState } from "@orrery/cluster-state";
import {
  createPacer,
  type Pacer,
  type NodeRepositories,
  type RepositoryDefinition,
  type RepositorySettings,
} from "@orrery/repository";
import { OperationError } from "@orrery/stdx";

/** The repositories of one worker. */
export interface WorkerRepositories {
  /**
   * Opens a repository as it is defined.
   * @throws OperationError The definition is invalid, or not allowed on this node.
   */
  open(definition: RepositoryDefinition): OpenedRepository;
  /**
   * Opens a repository of the applied state.
   * @throws OperationError `repository_missing_exception`, and the errors of `open`.
   */
  named(state: ClusterState | undefined, name: string): OpenedRepository;
  /** Adopts changed rate limits for snapshots and restores under way. */
  applied(state: ClusterState): void;
}

/** A repository as it was defined when it was opened; the pacers are shared with other openings. */
export interface OpenedRepository {
  readonly store: BlobStore;
  readonly settings: RepositorySettings;
  readonly snapshotPacer: Pacer;
  readonly restorePacer: Pacer;
}

interface Pacers {
  readonly snapshot: Pacer;
  readonly restore: Pacer;
}

export function createWorkerRepositories(
  clock: Clock,
  repositories: NodeRepositories,
): WorkerRepositories {
  const pacers = new Map<string, Pacers>();

  const open = (definition: RepositoryDefinition): OpenedRepository => {
    const settings = repositories.settings(definition);
    const known = pacers.get(definition.name) ?? {
      snapshot: createPacer(clock, 0),
      restore: createPacer(clock, 0),
    };
    pacers.set(definition.name, known);
    setRates(known, settings);
    return {
      store: repositories.open({ name: definition.name, address: settings.address }),
      settings,
      snapshotPacer: known.snapshot,
      restorePacer: known.restore,
    };
  };

  return {
    open,
    applied(state) {
      for (const [name, metadata] of repositoriesOf(state)) {
        const known = pacers.get(name);
        if (known === undefined) continue;
        try {
          setRates(known, repositories.settings({ name, ...metadata }));
        } catch (error) {
          // The repository has a definition that this node may not open; the next opening reports it.
          if (!(error instanceof OperationError)) throw error;
        }
      }
    },
    named(state, name) {
      const metadata = state === undefined ? undefined : repositoriesOf(state).get(name);
      if (metadata !== undefined) return open({ name, ...metadata });
      throw new OperationError({
        type: "repository_missing_exception",
        reason: `[${name}] missing`,
        status: 404,
      });
    },
  };
}

function setRates({ snapshot, restore }: Pacers, settings: RepositorySettings): void {
  snapshot.setRate(settings.snapshotBytesPerSecond);
  restore.setRate(settings.restoreBytesPerSecond);
}
