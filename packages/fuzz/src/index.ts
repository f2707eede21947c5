/** `npm run fuzz`: generated bad input for every door of a cluster, judged, shrunk and told as one line that replays. */
export { main } from "./main.ts";
