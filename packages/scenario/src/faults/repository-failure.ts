/** Fault that makes repository operations fail. */
import type { FaultRow } from "./fault.ts";
import { combined, orPerMille } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryFailure extends RepositoryPlace {
  readonly kind: "repository-failure";
  readonly perMille: number;
}

export const repositoryFailure: FaultRow<RepositoryFailure> = {
  family: "repository",
  says: "Makes operations on a repository fail with an input/output error.",
  keys: { ...placeKeys, perMille: orPerMille(1000, "number of failing operations in a thousand") },
  needs: ["repository-fails"],
  draw: (scene) =>
    scene.hasRepository()
      ? { location: "", path: "", perMille: scene.chance(300) ? 1000 : scene.perMille(5, 500) }
      : undefined,
  inject: async ({ location, path, perMille }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-fails", location, path, perMille }),
    ]),
};
