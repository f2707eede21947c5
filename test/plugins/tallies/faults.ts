/** Faults of a plugin, set by a test: the place in which its code throws, and what its restriction is. */
import type { CopyRestriction } from "@orrery/shard-worker";

export class Faults {
  at: string | undefined;
  /** In place of `restrict`. */
  restrict: (() => CopyRestriction | undefined) | undefined;

  /** Throws where the fault is. */
  meet(place: string): void {
    if (this.at === place) throw new TypeError(`4711 met in ${place}`);
  }
}
