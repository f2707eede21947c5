/** Lets a repository fail. */
import type { FaultRow } from "./fault.ts";
import { all, orPerMille } from "./harms.ts";
import { placeKeys, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryFailure extends RepositoryPlace {
  readonly kind: "repository-failure";
  readonly perMille: number;
}

export const repositoryFailure: FaultRow<RepositoryFailure> = {
  family: "repository",
  says: "Lets operations on a repository fail with an input/output error.",
  keys: { ...placeKeys, perMille: orPerMille(1000, "of a thousand operations") },
  needs: ["repository-fails"],
  inject: async ({ location, path, perMille }, world) =>
    all([location], [await world.harm({ kind: "repository-fails", location, path, perMille })]),
};
