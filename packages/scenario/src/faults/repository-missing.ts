/** Fault that makes a repository unreachable. */
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryMissing extends RepositoryPlace {
  readonly kind: "repository-missing";
}

export const repositoryMissing: FaultRow<RepositoryMissing> = {
  family: "repository",
  says: "Makes a repository unreachable, like a file system that is not mounted: it appears empty, and writes fail.",
  keys: { ...placeKeys },
  needs: ["repository-missing"],
  draw: (scene) => (scene.hasRepository() ? { location: "", path: "" } : undefined),
  inject: async ({ location, path }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-missing", location, path }),
    ]),
};
