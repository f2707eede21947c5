/** Columns of segment tables: `_cat/segments`, and the segments that points in time hold open. */
import { javaText } from "@orrery/stdx";
import type { JsonObject } from "@orrery/stdx";
import { numberOf } from "../stats/recovery.ts";
import { column, sizeCell, type Column } from "./column.ts";

/** A row of a segment table: one segment of one shard copy. */
export interface SegmentRow {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly ip: string;
  readonly nodeId: string;
  readonly name: string;
  readonly segment: JsonObject;
}

const right = { isRight: true };

export const segmentColumns: readonly Column<SegmentRow>[] = [
  column("index", ({ index }) => index, { aliases: "i,idx", description: "index name" }),
  column("shard", ({ shard }) => shard, { aliases: "s,sh", description: "shard name" }),
  column("prirep", ({ primary }) => (primary ? "p" : "r"), {
    aliases: "p,pr,primaryOrReplica",
    description: "primary or replica",
  }),
  column("ip", ({ ip }) => ip, { description: "ip of node where it lives" }),
  column("id", ({ nodeId }) => nodeId, {
    description: "unique id of node where it lives",
    isDefault: false,
  }),
  column("segment", ({ name }) => name, { aliases: "seg", description: "segment name" }),
  column("generation", ({ segment }) => numberOf(segment["generation"]), {
    ...right,
    aliases: "g,gen",
    description: "segment generation",
  }),
  column("docs.count", ({ segment }) => numberOf(segment["num_docs"]), {
    ...right,
    aliases: "dc,docsCount",
    description: "number of docs in segment",
  }),
  column("docs.deleted", ({ segment }) => numberOf(segment["deleted_docs"]), {
    ...right,
    aliases: "dd,docsDeleted",
    description: "number of deleted docs in segment",
  }),
  column("size", ({ segment }) => sizeCell(numberOf(segment["size_in_bytes"])), {
    ...right,
    aliases: "si",
    description: "segment size in bytes",
  }),
  column("size.memory", ({ segment }) => numberOf(segment["memory_in_bytes"]), {
    ...right,
    aliases: "sm,sizeMemory",
    description: "segment memory in bytes",
  }),
  column("committed", ({ segment }) => segment["committed"] === true, {
    aliases: "ic,isCommitted",
    description: "is segment committed",
  }),
  column("searchable", ({ segment }) => segment["search"] === true, {
    aliases: "is,isSearchable",
    description: "is segment searched",
  }),
  column("version", ({ segment }) => javaText(segment["version"] ?? ""), {
    aliases: "v,ver",
    description: "version",
  }),
  column("compound", ({ segment }) => segment["compound"] === true, {
    aliases: "ico,isCompound",
    description: "is segment compound",
  }),
];
