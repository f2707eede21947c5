/** The repository types of the product itself. */
import type { RepositoryType } from "../repository-type.ts";
import { fsRepository } from "./fs.ts";
import { urlRepository } from "./url.ts";

export const coreRepositoryTypes: readonly RepositoryType[] = [fsRepository, urlRepository];
