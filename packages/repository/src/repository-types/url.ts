/** Repository type `url` (`URLRepository`): blobs behind a URL, read-only. */
import type { BlobAddress } from "@orrery/ports";
import { repositoryError } from "../problems.ts";
import { creationRefused } from "../read-setting.ts";
import type { GivenRepository, RepositoryType } from "../repository-type.ts";
import { allowedUrl, NO_URL, readUrl, urlRules } from "../repository-url.ts";

/**
 * The repository type `url`. The URL is parsed when the repository is registered, and compared with the URLs that the
 * node allows at the first operation, as in the product.
 */
export const urlRepository: RepositoryType = {
  type: "url",
  isReadOnly: true,
  onNode(settings) {
    const rules = urlRules(settings);
    return {
      address: addressOf,
      admit: (name, address) => ({ ...address, ...allowedUrl(name, address.location, rules) }),
    };
  },
};

/** Address of a definition, with the URL as Java prints it. */
function addressOf({ name, type, settings, texts }: GivenRepository): BlobAddress {
  if (settings["url"] === undefined) throw creationRefused(name, "missing url");
  const url = texts["url"];
  const location = url === undefined ? NO_URL : urlOf(name, url);
  return { type, location, settings: texts };
}

function urlOf(name: string, given: string): string {
  try {
    return readUrl(given);
  } catch (error) {
    throw repositoryError(name, "failed to create repository", error);
  }
}
