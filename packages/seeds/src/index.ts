/** Property tests: the same body under many seeds, and a failure that names the one that replays it. */
export type { Random } from "@orrery/stdx";
export { forSeeds, forSeedsAsync } from "./for-seeds.ts";
