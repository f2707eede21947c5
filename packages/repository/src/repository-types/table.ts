/** Repository types of the core. */
import type { RepositoryType } from "../repository-type.ts";
import { fsRepository } from "./fs.ts";
import { urlRepository } from "./url.ts";

/** All of them; plugins add others. */
export const coreRepositoryTypes: readonly RepositoryType[] = [fsRepository, urlRepository];
