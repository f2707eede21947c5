/** Settings of repositories, parsed and validated in the product's words (`BlobStoreRepository`). */
import type { BlobAddress } from "@orrery/ports";
import { illegalArgument, OperationError } from "@orrery/stdx";
import { pathTypeOf } from "./names.ts";
import { repositoryError } from "./problems.ts";
import { readBytes, readFlag } from "./read-setting.ts";
import type { NodeRepositoryType, RepositoryDefinition, Texts } from "./repository-type.ts";
import type { ShardPathType } from "./types.ts";

/** Parsed settings of a repository. */
export interface RepositorySettings {
  /** Address that the settings name; the type may refuse it when it is opened. */
  readonly address: BlobAddress;
  readonly isReadOnly: boolean;
  /** `remote_store_index_shallow_copy` */
  readonly isShallow: boolean;
  /** Size of the parts into which files are split; 0: not split. */
  readonly chunkBytes: number;
  /** Rate limits; 0: none. */
  readonly snapshotBytesPerSecond: number;
  readonly restoreBytesPerSecond: number;
  readonly pathType: ShardPathType;
  /** `prefix_mode_verification`: the folder of verification blobs contains the repository's name. */
  readonly isPrefixVerified: boolean;
  /** Compression of metadata blobs written from now on; existing ones are read either way. */
  readonly compression: Compression;
}

/** The parts of a repository type that determine settings. */
interface RepositoryReader extends Pick<NodeRepositoryType, "address" | "chunkBytes"> {
  readonly isReadOnly: boolean;
}

/** Compression of the bodies of metadata blobs. */
export type Compression = "none" | "deflate";

const defaultRate = { fallback: "40mb" };
/** Settings that the product validates before it creates the repository; their errors are not wrapped. */
const clusterFlags = [
  "remote_store_index_shallow_copy",
  "system_repository",
  "shallow_snapshot_v2",
];
/** Settings of the remote store, accepted without effect. */
const remoteRates = [
  "max_remote_upload_bytes_per_sec",
  "max_remote_download_bytes_per_sec",
  "max_remote_low_priority_upload_bytes_per_sec",
];

/** The parsed settings. Throws `repository_exception`; whether the address can be reached is not checked. */
export function repositorySettings(
  definition: RepositoryDefinition,
  type: RepositoryReader,
): RepositorySettings {
  const { name } = definition;
  const texts = textsOf(definition.settings);
  const given = { ...definition, texts };
  for (const key of clusterFlags) readFlag(texts, key);
  if (texts["system_repository"] === "true") {
    throw repositoryError(
      name,
      "setting system_repository cannot provide system repository setting; this setting is managed by OpenSearch",
    );
  }
  const named = type.address(given);
  const address = type.isReadOnly ? { ...named, isReadOnly: true } : named;
  try {
    const isReadOnly = type.isReadOnly || readFlag(texts, "readonly");
    const compression = compressionOf(texts);
    readFlag(texts, "cache_repository_data");
    for (const key of remoteRates) readBytes(texts, key);
    readBytes(texts, "io_buffer_size", { least: "8kb" });
    return {
      address,
      isReadOnly,
      isShallow: readFlag(texts, "remote_store_index_shallow_copy"),
      chunkBytes: type.chunkBytes?.(given) ?? 0,
      snapshotBytesPerSecond: readBytes(texts, "max_snapshot_bytes_per_sec", defaultRate),
      restoreBytesPerSecond: readBytes(texts, "max_restore_bytes_per_sec", defaultRate),
      pathType: pathTypeOf(texts["shard_path_type"]),
      isPrefixVerified: readFlag(texts, "prefix_mode_verification"),
      compression,
    };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw repositoryError(name, "failed to create repository", error);
  }
}

function textsOf(settings: RepositoryDefinition["settings"]): Texts {
  const texts = Object.entries(settings).flatMap(([key, value]) => {
    if (value === null) return [];
    return [[key, typeof value === "string" ? value : `[${value.join(", ")}]`] as const];
  });
  return Object.fromEntries(texts);
}

/** The compression; `compression_type` is validated only if `compress` is set. */
function compressionOf(texts: Texts): Compression {
  if (!readFlag(texts, "compress")) return "none";
  const name = (texts["compression_type"] ?? "deflate").toUpperCase();
  const known = compressions.find((compression) => compression.toUpperCase() === name);
  if (known !== undefined) return known;
  throw illegalArgument(`No registered compressor found by name [${name}]`);
}

const compressions: readonly Compression[] = ["none", "deflate"];
