/** Ingest pipelines named by writes. There are none yet, so a name other than `_none` is a missing one. */
import { illegalArgument } from "@orrery/stdx";

export function checkPipeline(pipeline: string | undefined): void {
  if (pipeline === undefined || pipeline === "_none") return;
  throw illegalArgument(`pipeline with id [${pipeline}] does not exist`);
}
