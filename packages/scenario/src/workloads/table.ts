/** Table of workloads by kind. A new kind does not compile without its row. */
import { application } from "./application.ts";
import { bulk } from "./bulk.ts";
import { newIndices } from "./new-indices.ts";
import { pages } from "./pages.ts";
import { registers } from "./registers.ts";
import { requests } from "./requests.ts";
import { search } from "./search.ts";
import type { Run, WorkloadKind, WorkloadOf, WorkloadRow } from "./workload.ts";

export const workloads: { readonly [Kind in WorkloadKind]: WorkloadRow<WorkloadOf<Kind>> } = {
  application,
  bulk,
  "new-indices": newIndices,
  pages,
  registers,
  requests,
  search,
};

export const workloadKinds: readonly WorkloadKind[] = Object.keys(workloads) as WorkloadKind[];

/** True if the workload's clients may write documents. */
export function writesDocuments<Kind extends WorkloadKind>(workload: WorkloadOf<Kind>): boolean {
  const row: WorkloadRow<WorkloadOf<Kind>> = workloads[workload.kind];
  return row.writes(workload);
}

export function runWorkload<Kind extends WorkloadKind>(
  workload: WorkloadOf<Kind>,
  run: Run,
): Promise<void> {
  const row: WorkloadRow<WorkloadOf<Kind>> = workloads[workload.kind];
  return row.run(workload, run);
}
