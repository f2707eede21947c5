/** The routing table's error for an unknown index, without the resource that name resolution adds. */
import type { Problem } from "@orrery/stdx";

export function indexNotRouted(index: string): Problem {
  return {
    type: "index_not_found_exception",
    reason: `no such index [${index}]`,
    status: 404,
    metadata: { index, index_uuid: "_na_" },
  };
}
