/**
 * Repository types as values (`RepositoryPlugin`, `Repository.Factory`): how a node reads a repository's settings, and
 * how it opens the blobs.
 *
 * A type has a pure half, here, which turns settings into an address, and an adapter half, `BlobStores` of the world,
 * which opens the blobs at an address of that type. A type with `open` needs no adapter: it reaches blobs over ports.
 */
import type { BlobAddress, BlobStore, BlobStores, Transport } from "@orrery/ports";
import { assert, type NodeId } from "@orrery/stdx";

/** A repository type, before a node's settings are known. */
export interface RepositoryType {
  /** The `type` in a repository's definition, such as `fs`. */
  readonly type: string;
  /** Whether repositories of this type are never written, whatever their setting `readonly`. */
  readonly isReadOnly: boolean;
  /** Reads the node's own settings, once. Throws `OperationError` for invalid ones, and the node does not start. */
  readonly onNode: (settings: NodeSettings) => NodeRepositoryType;
}

/** A repository type under the settings of one node. Its functions throw `repository_exception`. */
export interface NodeRepositoryType {
  /** Address that the settings name; not yet admitted. */
  readonly address: (definition: GivenRepository) => BlobAddress;
  /** Size of the parts into which files are split; 0, or no function: files are not split. */
  readonly chunkBytes?: (definition: GivenRepository) => number;
  /** The address to open, decided at the first operation; throws if the node may not use it. Without it, every address is opened. */
  readonly admit?: (name: string, address: BlobAddress) => BlobAddress;
  /** Opens addresses of this type, in place of the world's opener. */
  readonly open?: (address: BlobAddress, world: RepositoryWorld) => BlobStore;
}

/** Flat settings of a node. */
export type NodeSettings = Readonly<Record<string, string | readonly string[]>>;

/** A repository as the cluster state has it. A setting with null is present, with its default value. */
export interface RepositoryDefinition {
  readonly name: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, string | readonly string[] | null>>;
}

/** A repository's definition together with its settings as texts. */
export interface GivenRepository extends RepositoryDefinition {
  /** Settings without those that are null; a list is printed as in Java. */
  readonly texts: Texts;
}

/** Settings as texts, by key. */
export type Texts = Readonly<Record<string, string>>;

/** The ports of a node or shard worker that a repository type may use to reach blobs. */
export interface RepositoryWorld {
  readonly blobs: BlobStores;
  readonly transport: Pick<Transport, "request">;
  /** Nodes of the applied cluster state. */
  readonly nodes: () => Iterable<{ readonly id: NodeId; readonly name: string }>;
}

/** Repository types by name. */
export type RepositoryTypes = ReadonlyMap<string, RepositoryType>;

/** The types by name. Asserts that none occurs twice. */
export function composeRepositoryTypes(rows: readonly RepositoryType[]): RepositoryTypes {
  const types = new Map(rows.map((row) => [row.type, row]));
  assert(types.size === rows.length, "a repository type is there twice");
  return types;
}
