/** Takes a repository away. */
import type { FaultRow } from "./fault.ts";
import { all } from "./harms.ts";
import { placeKeys, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryMissing extends RepositoryPlace {
  readonly kind: "repository-missing";
}

export const repositoryMissing: FaultRow<RepositoryMissing> = {
  family: "repository",
  says: "Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written.",
  keys: { ...placeKeys },
  needs: ["repository-missing"],
  inject: async ({ location, path }, world) =>
    all([location], [await world.harm({ kind: "repository-missing", location, path })]),
};
