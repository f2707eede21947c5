/** Repository type `fs` (`FsRepository`): a folder below one of `path.repo`. */
import type { BlobAddress } from "@orrery/ports";
import { byteSizeOf, OperationError } from "@orrery/stdx";
import { repositoryError } from "../problems.ts";
import { creationRefused, readBytes, readList } from "../read-setting.ts";
import type { GivenRepository, RepositoryType } from "../repository-type.ts";
import { locationIn } from "../repository-url.ts";

/**
 * The repository type `fs`. The node setting `repositories.fs.compress` is accepted without effect, as in the product.
 */
export const fsRepository: RepositoryType = {
  type: "fs",
  isReadOnly: false,
  onNode(settings) {
    const folders = readList(settings["path.repo"]);
    const chunkSize = settings["repositories.fs.chunk_size"];
    const nodeChunkBytes =
      typeof chunkSize === "string" ? byteSizeOf("repositories.fs.chunk_size", chunkSize) : 0;
    return {
      address: (definition) => addressOf(definition, folders),
      // The node's size is the default of an absent setting, but not of one that is null.
      chunkBytes: ({ settings: given, texts }) =>
        given["chunk_size"] === undefined
          ? nodeChunkBytes
          : readBytes(texts, "chunk_size", { least: "5b" }),
    };
  },
};

function addressOf(
  { name, type, texts }: GivenRepository,
  folders: readonly string[],
): BlobAddress {
  const wanted = texts["repositories.fs.location"] ?? texts["location"] ?? "";
  if (wanted === "") throw creationRefused(name, "missing location");
  if (folders.length === 0) {
    throw creationRefused(
      name,
      `location [${wanted}] doesn't match any of the locations specified by path.repo because this setting is empty`,
    );
  }
  if (wanted.includes("\0")) {
    const reason = `Nul character not allowed: ${wanted}`;
    const cause = new OperationError({ type: "invalid_path_exception", reason, status: 500 });
    throw repositoryError(name, "failed to create repository", cause);
  }
  const location = locationIn(folders, wanted);
  if (location !== undefined) return { type, location, settings: texts, within: folders };
  throw creationRefused(
    name,
    `location [${wanted}] doesn't match any of the locations specified by path.repo`,
  );
}
