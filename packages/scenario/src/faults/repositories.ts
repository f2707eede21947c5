/** Which repository, and what of it, a fault of repositories is about. */
import { or, text, type Keys } from "../shape.ts";

export interface RepositoryPlace {
  readonly location: string;
  readonly path: string;
}

/** Whom such a fault is done to, for the trace. */
export function placesOf({ location }: RepositoryPlace): readonly string[] {
  return [location === "" ? "all" : location];
}

export const placeKeys: Keys<RepositoryPlace> = {
  location: or(text, "", "the repository's location; every repository when it is not said"),
  path: or(text, "", "blobs whose path contains this; all when it is not said"),
};
