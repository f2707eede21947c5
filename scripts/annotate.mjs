/**
 * node annotate.mjs SWEEP.ndjson: prints a GitHub annotation for each cause of failures of a sweep (`orrery sweep --json`), and
 * fails if a run did not pass. A step of action.yml; needs nothing but Node.
 */
import { appendFileSync, readFileSync } from "node:fs";

const [results] = process.argv.slice(2);
const lines = readFileSync(results, "utf8")
  .split("\n")
  .filter((line) => line !== "");
const events = lines.map((line) => JSON.parse(line));
const failed = events
  .filter(({ event, verdict }) => event === "verdict" && verdict !== "pass")
  .toSorted((a, b) => a.seed - b.seed);

/** GitHub shows ten annotations of a step: one for each cause says more than ten of one cause. */
const groups = Map.groupBy(failed, ({ file, cause = {} }) =>
  [file, cause.checker, cause.subject, cause.fault].join("|"),
);
for (const runs of groups.values()) {
  const [{ file, verdict, why, replay, cause = {} }] = runs;
  const seeds = runs.map(({ seed }) => seed).join(", ");
  const title = `${cause.checker ?? verdict}: ${runs.length} of this cause`;
  const text = `${why}\nseeds ${seeds}\nreplay: ${replay}`;
  const level = verdict === "inconclusive" ? "warning" : "error";
  console.log(`::${level} file=${property(file)},title=${property(title)}::${message(text)}`);
}
if (process.env.GITHUB_OUTPUT)
  appendFileSync(process.env.GITHUB_OUTPUT, `failed=${failed.length}\n`);
if (!events.some(({ event }) => event === "summary")) {
  console.log("::error::the sweep ended without a summary");
  process.exitCode = 1;
}
if (failed.length > 0) process.exitCode = 1;

function message(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text) {
  return message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
