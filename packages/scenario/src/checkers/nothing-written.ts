/** Test whether a plan writes documents: it has neither clients that write nor initial data if it does not. */
import type { Plan } from "../plan.ts";
import { writesDocuments } from "../workloads/table.ts";

/** Complaint of checkers that judge written documents. */
export function nothingWritten({ workload, indices }: Plan): string | undefined {
  const isFilled = indices.some(({ data }) => data !== undefined);
  const isWritten = workload.some((clients) => writesDocuments(clients));
  return isWritten || isFilled ? undefined : "no client writes, and no index has data";
}
