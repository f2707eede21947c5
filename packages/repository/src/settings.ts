/** Where a repository is and how it is treated, from its settings; refusals in the product's words. */
import type { BlobAddress } from "@orrery/ports";
import { OperationError, parseByteSize, illegalArgument, type Problem } from "@orrery/stdx";
import { pathTypeOf } from "./names.ts";
import { repositoryError, repositoryProblem } from "./problems.ts";
import type { ShardPathType } from "./types.ts";

/** As the cluster state has it. */
export interface RepositoryDefinition {
  readonly name: string;
  readonly type: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface RepositorySettings {
  readonly address: BlobAddress;
  readonly isReadOnly: boolean;
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

/** Node settings that say where repositories may be. */
export interface AllowedPlaces {
  /** `path.repo` */
  readonly folders: readonly string[];
  /** `repositories.url.allowed_urls` */
  readonly urls: readonly string[];
}

const DEFAULT_RATE = "40mb";

/** Throws `repository_exception`s. The address may still be one that cannot be reached. */
export function repositorySettings(
  definition: RepositoryDefinition,
  places: AllowedPlaces,
): RepositorySettings {
  const { name, settings } = definition;
  const address = addressOf(definition, places);
  try {
    const isReadOnly = definition.type === "url" || flag(settings, "readonly");
    const compression = compressionOf(settings);
    return {
      address,
      isReadOnly,
      chunkBytes: bytes(settings, "chunk_size", undefined),
      snapshotBytesPerSecond: bytes(settings, "max_snapshot_bytes_per_sec", DEFAULT_RATE),
      restoreBytesPerSecond: bytes(settings, "max_restore_bytes_per_sec", DEFAULT_RATE),
      pathType: pathTypeOf(settings["shard_path_type"]),
      isPrefixVerified: flag(settings, "prefix_mode_verification"),
      compression,
    };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw repositoryError(name, "failed to create repository", error);
  }
}

function addressOf(definition: RepositoryDefinition, places: AllowedPlaces): BlobAddress {
  const { name, type, settings } = definition;
  if (type === "url") return { type, location: settings["url"] ?? "", settings };
  if (type !== "fs") return { type, location: settings["location"] ?? "", settings };
  const given = settings["location"] ?? "";
  const refuse = (what: string): never => {
    const root: Problem = repositoryProblem(name, what);
    const problem = repositoryProblem(name, "failed to create repository", root);
    throw new OperationError({ ...problem, rootCauses: [root] });
  };
  if (given === "") return refuse("missing location");
  if (places.folders.length === 0) {
    return refuse(
      `location [${given}] doesn't match any of the locations specified by path.repo because this setting is empty`,
    );
  }
  const location = locationIn(places.folders, given);
  if (location !== undefined) return { type, location, settings };
  return refuse(`location [${given}] doesn't match any of the locations specified by path.repo`);
}

/** A relative location is below the first folder; an absolute one must be below one of them. */
export function locationIn(folders: readonly string[], given: string): string | undefined {
  const roots = folders.map(normalPath);
  const [first] = roots;
  if (first === undefined) return undefined;
  const path = given.startsWith("/") ? normalPath(given) : normalPath(`${first}/${given}`);
  return roots.some((root) => path === root || path.startsWith(`${root}/`)) ? path : undefined;
}

/** A URL repository's address is looked at when it is first used. Throws `repository_exception`. */
export function checkUrl(name: string, url: string, places: AllowedPlaces): void {
  if (url === "") throw repositoryError(name, "missing url");
  if (places.urls.some((allowed) => matchesUrl(allowed, url))) return;
  const path = /^file:(?:\/\/)?(\/.*)$/.exec(url)?.[1];
  if (path !== undefined && locationIn(places.folders, path) !== undefined) return;
  throw repositoryError(
    name,
    `file url [${url}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`,
  );
}

function matchesUrl(pattern: string, url: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(url);
}

function normalPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

function flag(settings: RepositoryDefinition["settings"], key: string): boolean {
  const given = settings[key] ?? "false";
  if (given === "true" || given === "false") return given === "true";
  throw illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`);
}

/** `compression_type` matters to a repository that compresses, and to no other. */
function compressionOf(settings: RepositoryDefinition["settings"]): Compression {
  if (!flag(settings, "compress")) return "none";
  const name = (settings["compression_type"] ?? "deflate").toUpperCase();
  const known = compressions.find((compression) => compression.toUpperCase() === name);
  if (known !== undefined) return known;
  throw illegalArgument(`No registered compressor found by name [${name}]`);
}

const compressions: readonly Compression[] = ["none", "deflate"];

function bytes(
  settings: RepositoryDefinition["settings"],
  key: string,
  fallback: string | undefined,
): number {
  const given = settings[key] ?? fallback;
  if (given === undefined) return 0;
  const parsed = parseByteSize(given);
  if (parsed !== undefined) return Math.max(0, parsed);
  const reason = `failed to parse setting [${key}] with value [${given}] as a size in bytes: unit is missing or unrecognized`;
  throw illegalArgument(reason, { type: "parse_exception", reason, status: 400 });
}
