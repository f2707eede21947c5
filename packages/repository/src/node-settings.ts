/** What a node's own settings say of repositories: where they may be, and how files are cut that say nothing of it themselves. */
import { byteSizeOf } from "@orrery/stdx";

export interface NodeRepositorySettings {
  /** `path.repo` */
  readonly folders: readonly string[];
  /** `repositories.url.allowed_urls` */
  readonly urls: readonly string[];
  /** `repositories.url.supported_protocols` */
  readonly protocols: readonly string[];
  /** `repositories.fs.chunk_size`; 0: files are not cut. */
  readonly chunkBytes: number;
}

type Settings = Readonly<Record<string, string | readonly string[]>>;

/** `repositories.fs.compress` is taken and shown, and has no effect, as in the product. */
export function nodeRepositorySettings(settings: Settings): NodeRepositorySettings {
  const chunkSize = settings["repositories.fs.chunk_size"];
  return {
    folders: listOf(settings["path.repo"]),
    urls: listOf(settings["repositories.url.allowed_urls"]),
    protocols: listOf(
      settings["repositories.url.supported_protocols"] ?? "http,https,ftp,file,jar",
    ),
    chunkBytes:
      typeof chunkSize === "string" ? byteSizeOf("repositories.fs.chunk_size", chunkSize) : 0,
  };
}

function listOf(value: Settings[string] | undefined): readonly string[] {
  if (value === undefined) return [];
  const parts = typeof value === "string" ? value.split(",") : value;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
