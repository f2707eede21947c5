/** Fault that slows down a repository. */
import { duration, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { placeKeys, placesOf, type RepositoryPlace } from "./repositories.ts";

export interface RepositorySlow extends RepositoryPlace {
  readonly kind: "repository-slow";
  readonly byMs: number;
}

export const repositorySlow: FaultRow<RepositorySlow> = {
  family: "repository",
  says: "Delays each operation on a repository.",
  keys: { ...placeKeys, byMs: or(duration, 500, "delay of each operation") },
  needs: ["repository-slow"],
  draw: (scene) =>
    scene.hasRepository() ? { location: "", path: "", byMs: scene.ms(5, 1000) } : undefined,
  inject: async ({ location, path, byMs: delayMs }, world) =>
    combined(placesOf({ location, path }), [
      await world.applyRule({ kind: "repository-slow", location, path, delayMs }),
    ]),
};
