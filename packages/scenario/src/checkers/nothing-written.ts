/** Whether a plan has nothing to say about documents: neither clients nor data to begin with. */
import type { Plan } from "../plan.ts";
import type { Finding } from "./checker.ts";

/** A complaint of checkers that judge what was written. */
export function nothingWritten({ workload, indices }: Plan): Finding {
  const isFilled = indices.some(({ data }) => data !== undefined);
  return workload.length === 0 && !isFilled ? "no client writes, and no index has data" : undefined;
}
