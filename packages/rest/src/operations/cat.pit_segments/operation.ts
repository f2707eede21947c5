/** `cat.pit_segments`: segments that given points in time hold open. */
import { defineCat } from "../../cat/operation.ts";
import { segmentColumns, type SegmentRow } from "../../cat/segment-columns.ts";
import type { Content } from "../../content.ts";
import type { Operation } from "../../operation.ts";
import { readIds } from "../../search/id-body.ts";
import { pitSegmentRows } from "../../search/pits.ts";
import { validate } from "../../validation.ts";

type Ids = readonly string[] | undefined;

export const catPitSegments: Operation = defineCat<Record<never, never>, SegmentRow, Ids>({
  group: "cat.pit_segments",
  permission: "indices:monitor/point_in_time/segments",
  routes: ["GET /_cat/pit_segments"],
  query: {},
  body: (content: Content | undefined) => readIds(content, "pit_id"),
  deviations: [],
  columns: segmentColumns,
  rows: ({ body: ids = [] }, cluster) => {
    validate([ids.length === 0 && "no pit ids specified"]);
    const isAll = ids.length === 1 && ids[0] === "_all";
    return pitSegmentRows(cluster, isAll ? undefined : ids);
  },
});
