/** Keys of repository faults: the repository and the blobs that a fault affects. */
import { or, text, type Keys } from "../shape.ts";

export interface RepositoryPlace {
  readonly location: string;
  readonly path: string;
}

/** Targets of a repository fault in the trace: the location of the repository, or `all` if the fault affects every one. */
export function placesOf({ location }: RepositoryPlace): readonly string[] {
  return [location === "" ? "all" : location];
}

export const placeKeys: Keys<RepositoryPlace> = {
  location: or(text, "", "location of the repository; default: every repository"),
  path: or(text, "", "only blobs whose path contains this text; default: all"),
};
