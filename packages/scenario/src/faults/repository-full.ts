/** Fills a repository. */
import type { FaultRow } from "./fault.ts";
import { all } from "./harms.ts";
import { placeKeys, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryFull extends RepositoryPlace {
  readonly kind: "repository-full";
}

export const repositoryFull: FaultRow<RepositoryFull> = {
  family: "repository",
  says: "Fills a repository: nothing more can be written.",
  keys: { ...placeKeys },
  needs: ["repository-full"],
  inject: async ({ location, path }, world) =>
    all([location], [await world.harm({ kind: "repository-full", location, path })]),
};
