/**
 * Repositories of a node, or of one of its shard workers: the only way from a repository's definition to its blobs.
 *
 * The address of a type with rules about addresses (`url`) is checked at the first operation, as in the product:
 * operations then reject with the `OperationError` of the violated rule.
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

/** Repositories as this node can use them. */
export interface NodeRepositories {
  /** Parsed settings. Throws `repository_exception` for a type that this node lacks, and for invalid settings. */
  settings(definition: RepositoryDefinition): RepositorySettings;
  /** Throws if this node may not use the address, for requests that must fail before any work. */
  check(repository: OpenableRepository): void;
  /** The blob store at the address, with checked listings. Throws for a type that this node lacks; operations at a refused address reject. */
  open(repository: OpenableRepository): BlobStore;
}

/** A repository to open. */
export interface OpenableRepository {
  /** Name of the repository, for messages. */
  readonly name: string;
  /** Address from the repository's settings. */
  readonly address: BlobAddress;
}

/** Types, settings and ports of a node. */
export interface NodeRepositoriesOptions {
  readonly types: RepositoryTypes;
  /** Settings of the node. */
  readonly settings: NodeSettings;
  readonly world: RepositoryWorld;
}

/** Reads the node's settings for every type. Throws `OperationError` for an invalid one: the node does not start then. */
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

/** A store that is opened by its first operation; after a failure the next operation tries again. */
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
