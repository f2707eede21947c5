/** Fault that fills a repository. */
import type { FaultRow } from "./fault.ts";
import { all } from "./harms.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryFull extends RepositoryPlace {
  readonly kind: "repository-full";
}

export const repositoryFull: FaultRow<RepositoryFull> = {
  family: "repository",
  says: "Fills a repository: nothing more can be written.",
  keys: { ...placeKeys },
  needs: ["repository-full"],
  draw: (scene) => (scene.hasRepository() ? { location: "", path: "" } : undefined),
  inject: async ({ location, path }, world) =>
    all(placesOf({ location, path }), [
      await world.harm({ kind: "repository-full", location, path }),
    ]),
};
