/**
 * `npm run fuzz`: generates bad input for every interface of a cluster, judges and shrinks it, and prints each finding
 * as a command that replays it.
 */
export { main } from "./main.ts";
