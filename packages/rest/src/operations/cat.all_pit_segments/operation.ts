/** `cat.all_pit_segments`: segments that points in time hold open. */
import { defineCat } from "../../cat/operation.ts";
import { segmentColumns, type SegmentRow } from "../../cat/segment-columns.ts";
import type { Operation } from "../../operation.ts";
import { pitSegmentRows } from "../../search/pits.ts";

export const catAllPitSegments: Operation = defineCat<Record<never, never>, SegmentRow>({
  group: "cat.all_pit_segments",
  permission: "indices:monitor/point_in_time/segments",
  routes: ["GET /_cat/pit_segments/_all"],
  query: {},
  deviations: [],
  columns: segmentColumns,
  rows: (_call, cluster) => pitSegmentRows(cluster, undefined),
});
