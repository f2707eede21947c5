/** `url`: blobs behind a URL, which are only read. Source: `URLRepository`. */
import type { BlobAddress } from "@orrery/ports";
import { repositoryError } from "../problems.ts";
import { creationRefused } from "../read-setting.ts";
import type { GivenRepository, RepositoryType } from "../repository-type.ts";
import { allowedUrl, NO_URL, readUrl, urlRules } from "../repository-url.ts";

/** The URL is read with the definition and compared with what the node allows when it is first used, as in the product. */
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

/** Of a URL as it is printed. */
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
