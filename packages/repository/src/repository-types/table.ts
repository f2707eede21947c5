/** Repository types of the core. */
import type { RepositoryType } from "../repository-type.ts";
import { fsRepository } from "./fs.ts";
import { urlRepository } from "./url.ts";

/** The repository types of the core; plugins add others. */
export const coreRepositoryTypes: readonly RepositoryType[] = [fsRepository, urlRepository];
