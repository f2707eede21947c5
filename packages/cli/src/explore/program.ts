/** Program of an exploration's jobs, in processes that an exploration or a worker of a queue starts. */
import type { JobProgram } from "../job-process.ts";

export const exploreProgram: JobProgram = {
  name: "explore-job",
  source: "explore/job.ts",
  patienceMs: 300_000,
};
