/** JSON and table rows of points in time. */
import type { Cluster } from "@orrery/node";
import { nodeById } from "../nodes/identity.ts";
import { isJsonObject } from "@orrery/stdx";
import type { SegmentRow } from "../cat/segment-columns.ts";
import type { PrintableObject } from "../json/printable.ts";

/** The response to a deletion of points in time. */
export function deletedJson(
  deleted: readonly { readonly pitId: string; readonly successful: boolean }[],
): PrintableObject {
  return { pits: deleted.map(({ pitId, successful }) => ({ successful, pit_id: pitId })) };
}

/** Rows of the segments that points in time hold open; `undefined`: those of all. */
export async function pitSegmentRows(
  cluster: Cluster,
  pitIds: readonly string[] | undefined,
): Promise<readonly SegmentRow[]> {
  const state = cluster.state();
  const copies = await cluster.pitSegments(pitIds);
  return copies.flatMap(({ index, shard, primary, nodeId, segments }) =>
    Object.entries(segments).map(([name, segment]) => ({
      index,
      shard,
      primary,
      ip: nodeById(state, nodeId)?.hostAddress ?? "",
      nodeId,
      name,
      segment: isJsonObject(segment) ? segment : {},
    })),
  );
}
