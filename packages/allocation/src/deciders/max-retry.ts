/**
 * `max_retry`: a copy that has failed too often is not allocated until an operator retries it
 * (`MaxRetryAllocationDecider`).
 */
import { indexSetting, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { printUnassignedInfo } from "../print-shard.ts";
import { indexMetadataOf } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

export const maxRetry: Decider = {
  canAllocate: (copy, _, allocation) => decide(copy, allocation),
  canAllocateAnywhere: decide,
  canForcePrimary: (copy, _, allocation) => decide(copy, allocation),
};

function decide(copy: ShardRouting, allocation: Allocation): Verdict {
  const info = copy.unassignedInfo;
  const failures = info?.failedAllocations ?? 0;
  if (info === undefined || failures === 0) {
    return yes("max_retry", () => "shard has no previous failures");
  }
  const metadata = indexMetadataOf(allocation.routing, copy.index);
  const most = indexSetting(metadata, "index.allocation.max_retries");
  if (failures < most) {
    return yes(
      "max_retry",
      () => `shard has failed allocating [${failures}] times but [${most}] retries are allowed`,
    );
  }
  return no(
    "max_retry",
    () =>
      `shard has exceeded the maximum number of retries [${most}] on failed allocation attempts - manually call [/_cluster/reroute?retry_failed=true] to retry, [${printUnassignedInfo(info)}]`,
  );
}
