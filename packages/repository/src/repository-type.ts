/**
 * A repository type as a value: how its settings are read on a node, and how its blobs are opened.
 *
 * Contract: a row is known under its `type`. The pure half reads a repository's settings into an address; blobs are opened by the world's
 * opener for addresses of that type (the adapter half, `BlobStores`) or, where a row has `open`, over the ports that it is given.
 * Source: `Repository.Factory` of `RepositoryPlugin`.
 */
import type { BlobAddress, BlobStore, BlobStores, Transport } from "@orrery/ports";
import { assert, type NodeId } from "@orrery/stdx";

export interface RepositoryType {
  /** The `type` of a repository's definition, as `fs`. */
  readonly type: string;
  /** Repositories of this type are never written, whatever their setting `readonly` says, and their addresses say so. */
  readonly isReadOnly: boolean;
  /** Reads the node's own settings, once for each node. Throws `OperationError`: the node does not start. */
  readonly onNode: (settings: NodeSettings) => NodeRepositoryType;
}

/** A repository type with the settings of one node. Its functions throw `repository_exception`s. */
export interface NodeRepositoryType {
  /** The place that the settings name; `admit` may still refuse it. */
  readonly address: (definition: GivenRepository) => BlobAddress;
  /** The length at which files are cut; 0, and without this function: files are not cut. */
  readonly chunkBytes?: (definition: GivenRepository) => number;
  /** The address that may be opened, decided with the first operation. Without it, every address is opened as it is. */
  readonly admit?: (name: string, address: BlobAddress) => BlobAddress;
  /** In place of the world's opener for addresses of this type. */
  readonly open?: (address: BlobAddress, world: RepositoryWorld) => BlobStore;
}

export type NodeSettings = Readonly<Record<string, string | readonly string[]>>;

/** As the cluster state has it. A setting that is `null` is there, and has its default. */
export interface RepositoryDefinition {
  readonly name: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, string | readonly string[] | null>>;
}

export interface GivenRepository extends RepositoryDefinition {
  /** The settings as texts: those that are `null` are left out, a list reads as Java prints it. */
  readonly texts: Texts;
}

export type Texts = Readonly<Record<string, string>>;

/** The ports of a node, or of a shard worker, that blobs are reached by. */
export interface RepositoryWorld {
  readonly blobs: BlobStores;
  readonly transport: Pick<Transport, "request">;
  /** Of the applied cluster state. */
  readonly nodes: () => Iterable<{ readonly id: NodeId; readonly name: string }>;
}

/** By type. */
export type RepositoryTypes = ReadonlyMap<string, RepositoryType>;

/** Two rows of one type are a bug of whoever composes them. */
export function composeRepositoryTypes(rows: readonly RepositoryType[]): RepositoryTypes {
  const types = new Map(rows.map((row) => [row.type, row]));
  assert(types.size === rows.length, "a repository type is there twice");
  return types;
}
