/** Whether a plan has nothing to say about documents: neither clients that write nor data to begin with. */
import type { Plan } from "../plan.ts";
import { writesDocuments } from "../workloads/table.ts";
import type { Finding } from "./checker.ts";

/** A complaint of checkers that judge what was written. */
export function nothingWritten({ workload, indices }: Plan): Finding {
  const isFilled = indices.some(({ data }) => data !== undefined);
  const isWritten = workload.some((clients) => writesDocuments(clients));
  return isWritten || isFilled ? undefined : "no client writes, and no index has data";
}
