/**
 * The repositories of a node, or of one of its shard workers: no other way leads from a repository's definition to its blobs.
 *
 * An address that its type admits or refuses (a URL) is asked about with the first operation, as in the product; operations then reject
 * with the `OperationError` that says why not.
 */
import type { BlobAddress, BlobStore } from "@orrery/ports";
import { withCheckedNames } from "./listed-names.ts";
import { repositoryError } from "./problems.ts";
import type {
  NodeRepositoryType,
  NodeSettings,
  RepositoryDefinition,
  RepositoryTypes,
  RepositoryWorld,
} from "./repository-type.ts";
import { repositorySettings, type RepositorySettings } from "./settings.ts";

export interface NodeRepositories {
  /** Throws `repository_exception`s: of a type that this node lacks, of settings that say what they must not. */
  settings(definition: RepositoryDefinition): RepositorySettings;
  /** Throws why this node may not use the address, for requests that are told before they begin. */
  check(repository: OpenableRepository): void;
  open(repository: OpenableRepository): BlobStore;
}

/** An address as a repository's settings have it. */
export interface OpenableRepository {
  /** Of the repository. */
  readonly name: string;
  readonly address: BlobAddress;
}

export interface NodeRepositoriesOptions {
  readonly types: RepositoryTypes;
  /** Of the node. */
  readonly settings: NodeSettings;
  readonly world: RepositoryWorld;
}

/** Throws `OperationError` when a setting of the node cannot be read. */
export function createNodeRepositories(options: NodeRepositoriesOptions): NodeRepositories {
  const { types, settings, world } = options;
  const onNode: ReadonlyMap<string, NodeRepositoryType> = new Map(
    [...types].map(([type, row]) => [type, row.onNode(settings)]),
  );

  const typeOf = (name: string, type: string): NodeRepositoryType => {
    const found = onNode.get(type);
    if (found !== undefined && (found.open !== undefined || world.blobs.types.includes(type)))
      return found;
    throw repositoryError(name, `repository type [${type}] does not exist`);
  };

  return {
    settings(definition) {
      const { name, type } = definition;
      const read = typeOf(name, type);
      return repositorySettings(definition, {
        ...read,
        isReadOnly: types.get(type)?.isReadOnly === true,
      });
    },
    check: ({ name, address }) => void typeOf(name, address.type).admit?.(name, address),
    open({ name, address }) {
      const { admit, open } = typeOf(name, address.type);
      const opened = (admitted: BlobAddress): BlobStore =>
        open === undefined ? world.blobs.open(admitted) : open(admitted, world);
      const store =
        admit === undefined ? opened(address) : onceAdmitted(() => opened(admit(name, address)));
      return withCheckedNames(name, store);
    },
  };
}

/** Opens with the first operation that succeeds in it. */
function onceAdmitted(open: () => BlobStore): BlobStore {
  let opened: BlobStore | undefined;
  const store = async (): Promise<BlobStore> => {
    opened ??= open();
    return opened;
  };
  return {
    list: async (folder) => (await store()).list(folder),
    folders: async (folder) => (await store()).folders(folder),
    read: async (path, range) => (await store()).read(path, range),
    write: async (path, bytes, how) => (await store()).write(path, bytes, how),
    remove: async (paths) => (await store()).remove(paths),
    removeFolder: async (folder) => (await store()).removeFolder(folder),
  };
}
