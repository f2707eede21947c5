/** Fault that flips bits of blobs in a repository. */
import { integer, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositoryCorruption extends RepositoryPlace {
  readonly kind: "repository-corruption";
  readonly bits: number;
}

export const repositoryCorruption: FaultRow<RepositoryCorruption> = {
  family: "repository",
  says: "Flips bits of blobs in a repository, which shows only when they are read.",
  keys: { ...placeKeys, bits: or(integer(1, 10_000), 1, "number of bits") },
  needs: ["repository-corrupt"],
  isInstant: true,
  draw: (scene) =>
    scene.hasRepository() ? { location: "", path: "", bits: scene.ms(1, 64) } : undefined,
  casualties: ["snapshots"],
  inject: async ({ location, path, bits }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-corrupt", location, path, bits }),
    ]),
};
