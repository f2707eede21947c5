/** Fault that fills a repository. */
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryFull extends RepositoryPlace {
  readonly kind: "repository-full";
}

export const repositoryFull: FaultRow<RepositoryFull> = {
  family: "repository",
  says: "Fills a repository: writes fail.",
  keys: { ...placeKeys },
  needs: ["repository-full"],
  draw: (scene) => (scene.hasRepository() ? { location: "", path: "" } : undefined),
  inject: async ({ location, path }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-full", location, path }),
    ]),
};
