/** Ends a process in which one run spends too much: a planted bug may well be an endless loop. */
import { Worker } from "node:worker_threads";

/** Seconds of CPU; no run of the library takes a third of it. */
const LONGEST_RUN = 10;

/** Ends the process with a verdict; who counts the runs that were begun gets the array. */
export function watchForEndlessRuns() {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const watch = `
    const { workerData } = require("node:worker_threads");
    const { writeSync } = require("node:fs");
    let run = 0;
    let sinceS = 0;
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      const seconds = (user + system) / 1e6;
      const now = Atomics.load(workerData.begun, 0);
      if (now !== run) [run, sinceS] = [now, seconds];
      if (run === 0 || seconds - sinceS < workerData.longest) return;
      writeSync(1, JSON.stringify({ found: true, seconds, why: "the run does not end" }) + "\\n");
      process.kill(process.pid, "SIGKILL");
    }, 250);
  `;
  new Worker(watch, { eval: true, workerData: { begun, longest: LONGEST_RUN } }).unref();
  return begun;
}
