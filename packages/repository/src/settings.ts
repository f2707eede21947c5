/** Where a repository is and how it is treated, from its settings; refusals in the product's words. */
import type { BlobAddress } from "@orrery/ports";
import {
  byteSizeOf,
  illegalArgument,
  lookup,
  OperationError,
  parseByteSize,
  type Problem,
} from "@orrery/stdx";
import { pathTypeOf } from "./names.ts";
import type { NodeRepositorySettings } from "./node-settings.ts";
import { repositoryError, repositoryProblem } from "./problems.ts";
import { locationIn, NO_URL, readUrl } from "./repository-url.ts";
import type { ShardPathType } from "./types.ts";

/** As the cluster state has it. A setting that is `null` is there, and has its default. */
export interface RepositoryDefinition {
  readonly name: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, string | readonly string[] | null>>;
}

/** Of settings as texts: what is `null` is left out, a list reads as Java prints it. */
type Texts = Readonly<Record<string, string>>;

export interface RepositorySettings {
  /** Of a URL as it is printed: `openStore` says whether it may be used. */
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
  node: NodeRepositorySettings,
): RepositorySettings {
  const { name, type } = definition;
  const settings = textsOf(definition.settings);
  for (const key of clusterFlags) flag(settings, key);
  if (settings["system_repository"] === "true") {
    throw repositoryError(
      name,
      "setting system_repository cannot provide system repository setting; this setting is managed by OpenSearch",
    );
  }
  const address = addressOf(definition, settings, node);
  try {
    const isReadOnly = type === "url" || flag(settings, "readonly");
    const compression = compressionOf(settings);
    flag(settings, "cache_repository_data");
    for (const key of remoteRates) bytes(settings, key);
    bytes(settings, "io_buffer_size", { least: "8kb" });
    return {
      address,
      isReadOnly,
      isShallow: flag(settings, "remote_store_index_shallow_copy"),
      chunkBytes: type === "fs" ? chunkBytesOf(definition, settings, node) : 0,
      snapshotBytesPerSecond: bytes(settings, "max_snapshot_bytes_per_sec", defaultRate),
      restoreBytesPerSecond: bytes(settings, "max_restore_bytes_per_sec", defaultRate),
      pathType: pathTypeOf(settings["shard_path_type"]),
      isPrefixVerified: flag(settings, "prefix_mode_verification"),
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

/** What the node says holds where the repository says nothing at all. */
function chunkBytesOf(
  { settings: given }: RepositoryDefinition,
  settings: Texts,
  node: NodeRepositorySettings,
): number {
  if (given["chunk_size"] === undefined) return node.chunkBytes;
  return bytes(settings, "chunk_size", { least: "5b" });
}

function addressOf(
  { name, type, settings: given }: RepositoryDefinition,
  settings: Texts,
  { folders }: NodeRepositorySettings,
): BlobAddress {
  const refuse = (what: string): never => {
    const root: Problem = repositoryProblem(name, what);
    const problem = repositoryProblem(name, "failed to create repository", root);
    throw new OperationError({ ...problem, rootCauses: [root] });
  };
  if (type === "url") {
    if (given["url"] === undefined) return refuse("missing url");
    const url = settings["url"];
    return { type, location: url === undefined ? NO_URL : urlOf(name, url), settings };
  }
  if (type !== "fs") return { type, location: settings["location"] ?? "", settings };
  const wanted = settings["repositories.fs.location"] ?? settings["location"] ?? "";
  if (wanted === "") return refuse("missing location");
  if (folders.length === 0) {
    return refuse(
      `location [${wanted}] doesn't match any of the locations specified by path.repo because this setting is empty`,
    );
  }
  if (wanted.includes("\0")) {
    const reason = `Nul character not allowed: ${wanted}`;
    const cause = new OperationError({ type: "invalid_path_exception", reason, status: 500 });
    throw repositoryError(name, "failed to create repository", cause);
  }
  const location = locationIn(folders, wanted);
  if (location !== undefined) return { type, location, settings, within: folders };
  return refuse(`location [${wanted}] doesn't match any of the locations specified by path.repo`);
}

function urlOf(name: string, given: string): string {
  try {
    return readUrl(given);
  } catch (error) {
    throw repositoryError(name, "failed to create repository", error);
  }
}

function flag(settings: Texts, key: string): boolean {
  const given = lookup(settings, key) ?? "false";
  if (given === "true" || given === "false") return given === "true";
  throw illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`);
}

/** `compression_type` matters to a repository that compresses, and to no other. */
function compressionOf(settings: Texts): Compression {
  if (!flag(settings, "compress")) return "none";
  const name = (settings["compression_type"] ?? "deflate").toUpperCase();
  const known = compressions.find((compression) => compression.toUpperCase() === name);
  if (known !== undefined) return known;
  throw illegalArgument(`No registered compressor found by name [${name}]`);
}

const compressions: readonly Compression[] = ["none", "deflate"];

function bytes(
  settings: Texts,
  key: string,
  { least, fallback = 0 }: { readonly least?: string; readonly fallback?: string | number } = {},
): number {
  const given = lookup(settings, key) ?? String(fallback);
  const parsed = byteSizeOf(key, given);
  if (lookup(settings, key) !== undefined && parsed < (parseByteSize(least ?? "-1") ?? 0)) {
    throw illegalArgument(
      `failed to parse value [${given}] for setting [${key}], must be >= [${least}]`,
    );
  }
  return Math.max(0, parsed);
}
