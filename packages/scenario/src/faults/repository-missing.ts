/** Fault that makes a repository unreachable. */
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryMissing extends RepositoryPlace {
  readonly kind: "repository-missing";
}

export const repositoryMissing: FaultRow<RepositoryMissing> = {
  family: "repository",
  says: "Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written.",
  keys: { ...placeKeys },
  needs: ["repository-missing"],
  draw: (scene) => (scene.hasRepository() ? { location: "", path: "" } : undefined),
  inject: async ({ location, path }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-missing", location, path }),
    ]),
};
