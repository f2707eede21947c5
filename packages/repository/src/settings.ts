/** Where a repository is and how it is treated, from its settings; refusals in the product's words. */
import type { BlobAddress } from "@orrery/ports";
import { illegalArgument, OperationError } from "@orrery/stdx";
import { pathTypeOf } from "./names.ts";
import { repositoryError } from "./problems.ts";
import { readBytes, readFlag } from "./read-setting.ts";
import type { NodeRepositoryType, RepositoryDefinition, Texts } from "./repository-type.ts";
import type { ShardPathType } from "./types.ts";

export interface RepositorySettings {
  /** As the settings name it; the repository's type may still refuse to open it. */
  readonly address: BlobAddress;
  readonly isReadOnly: boolean;
  /** `remote_store_index_shallow_copy` */
  readonly isShallow: boolean;
  /** 0: files are not cut. */
  readonly chunkBytes: number;
  /** 0: no limit. */
  readonly snapshotBytesPerSecond: number;
  readonly restoreBytesPerSecond: number;
  readonly pathType: ShardPathType;
  readonly isPrefixVerified: boolean;
  /** Of metadata that is written from now on. */
  readonly compression: Compression;
}

/** The parts of a repository type that its settings are read by. */
interface RepositoryReader extends Pick<NodeRepositoryType, "address" | "chunkBytes"> {
  readonly isReadOnly: boolean;
}

/** How the bodies of metadata blobs are written. */
export type Compression = "none" | "deflate";

const defaultRate = { fallback: "40mb" };
/** Read before the repository itself is. */
const clusterFlags = [
  "remote_store_index_shallow_copy",
  "system_repository",
  "shallow_snapshot_v2",
];
/** Accepted, and without effect: there is no remote store. */
const remoteRates = [
  "max_remote_upload_bytes_per_sec",
  "max_remote_download_bytes_per_sec",
  "max_remote_low_priority_upload_bytes_per_sec",
];

/** Throws `repository_exception`s. The address may still be one that cannot be reached. */
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

/** `compression_type` matters to a repository that compresses, and to no other. */
function compressionOf(texts: Texts): Compression {
  if (!readFlag(texts, "compress")) return "none";
  const name = (texts["compression_type"] ?? "deflate").toUpperCase();
  const known = compressions.find((compression) => compression.toUpperCase() === name);
  if (known !== undefined) return known;
  throw illegalArgument(`No registered compressor found by name [${name}]`);
}

const compressions: readonly Compression[] = ["none", "deflate"];
