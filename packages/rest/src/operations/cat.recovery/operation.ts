/** `cat.recovery`: recoveries of shard copies, one row each. */
import { javaText, lookup, type Json } from "@orrery/stdx";
import { indicesOptions, type ClusterState } from "@orrery/cluster-state";
import { column, sizeCell, timeCell, type Column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { isoDate } from "../../dates.ts";
import type { PrintableObject } from "../../json/printable.ts";
import type { Operation } from "../../operation.ts";
import { flag, list, onDemand } from "../../parameters.ts";
import { expressionsOf } from "../../state-reading.ts";
import { isActiveRecovery, recoveryJson, type RecoveryAnswer } from "../../stats/recovery.ts";

interface Row {
  readonly index: string;
  readonly recovery: PrintableObject;
}

const query = {
  active_only: flag(false),
  detailed: flag(false),
  index: onDemand(list()),
};

function at(row: Row, path: string): unknown {
  let value: unknown = row.recovery;
  for (const step of path.split(".")) value = lookup(value as PrintableObject | undefined, step);
  return value;
}

function textAt(row: Row, path: string): string {
  const value = at(row, path);
  return value === undefined || value === null ? "n/a" : javaText(value as Json);
}

function numberAt(row: Row, path: string): number {
  const value = at(row, path);
  return typeof value === "number" ? value : 0;
}

function text(
  name: string,
  path: string,
  options: { aliases: string; description: string },
): Column<Row> {
  return column(name, (row) => textAt(row, path), options);
}

function number(
  name: string,
  path: string,
  options: { aliases: string; description: string },
): Column<Row> {
  return column(name, (row) => numberAt(row, path), options);
}

export const catRecovery: Operation = defineCat<typeof query, Row>({
  group: "cat.recovery",
  permission: "indices:monitor/recovery",
  routes: ["GET /_cat/recovery", "GET /_cat/recovery/{index}"],
  query,
  deviations: [],
  columns: [
    column("index", ({ index }) => index, { aliases: "i,idx", description: "index name" }),
    number("shard", "id", { aliases: "s,sh", description: "shard name" }),
    column("start_time", (row) => isoDate(numberAt(row, "start_time_in_millis")), {
      aliases: "start",
      description: "recovery start time",
      isDefault: false,
    }),
    column("start_time_millis", (row) => numberAt(row, "start_time_in_millis"), {
      aliases: "start_millis",
      description: "recovery start time in epoch milliseconds",
      isDefault: false,
    }),
    column("stop_time", (row) => isoDate(numberAt(row, "stop_time_in_millis")), {
      aliases: "stop",
      description: "recovery stop time",
      isDefault: false,
    }),
    column("stop_time_millis", (row) => numberAt(row, "stop_time_in_millis"), {
      aliases: "stop_millis",
      description: "recovery stop time in epoch milliseconds",
      isDefault: false,
    }),
    column("time", (row) => timeCell(numberAt(row, "total_time_in_millis")), {
      aliases: "t,ti",
      description: "recovery time",
    }),
    column("type", (row) => textAt(row, "type").toLowerCase(), {
      aliases: "ty",
      description: "recovery type",
    }),
    column("stage", (row) => textAt(row, "stage").toLowerCase(), {
      aliases: "st",
      description: "recovery stage",
    }),
    text("source_host", "source.host", { aliases: "shost", description: "source host" }),
    text("source_node", "source.name", { aliases: "snode", description: "source node name" }),
    text("target_host", "target.host", { aliases: "thost", description: "target host" }),
    text("target_node", "target.name", { aliases: "tnode", description: "target node name" }),
    text("repository", "source.repository", { aliases: "rep", description: "repository" }),
    text("snapshot", "source.snapshot", { aliases: "snap", description: "snapshot" }),
    column(
      "files",
      (row) => numberAt(row, "index.files.total") - numberAt(row, "index.files.reused"),
      {
        aliases: "f",
        description: "number of files to recover",
      },
    ),
    number("files_recovered", "index.files.recovered", {
      aliases: "fr",
      description: "files recovered",
    }),
    text("files_percent", "index.files.percent", {
      aliases: "fp",
      description: "percent of files recovered",
    }),
    number("files_total", "index.files.total", {
      aliases: "tf",
      description: "total number of files",
    }),
    column(
      "bytes",
      (row) =>
        sizeCell(
          numberAt(row, "index.size.total_in_bytes") - numberAt(row, "index.size.reused_in_bytes"),
        ),
      { aliases: "b", description: "number of bytes to recover" },
    ),
    column("bytes_recovered", (row) => sizeCell(numberAt(row, "index.size.recovered_in_bytes")), {
      aliases: "br",
      description: "bytes recovered",
    }),
    text("bytes_percent", "index.size.percent", {
      aliases: "bp",
      description: "percent of bytes recovered",
    }),
    column("bytes_total", (row) => sizeCell(numberAt(row, "index.size.total_in_bytes")), {
      aliases: "tb",
      description: "total number of bytes",
    }),
    number("translog_ops", "translog.total", {
      aliases: "to",
      description: "number of translog ops to recover",
    }),
    number("translog_ops_recovered", "translog.recovered", {
      aliases: "tor",
      description: "translog ops recovered",
    }),
    text("translog_ops_percent", "translog.percent", {
      aliases: "top",
      description: "percent of translog ops recovered",
    }),
  ],

  async rows(call, cluster) {
    const given = call.query;
    const { answers } = await cluster.shardRecoveries({
      indices: given.index ?? expressionsOf(call.path["index"]),
      indicesOptions: indicesOptions.strictExpand,
      activeOnly: given.active_only,
    });
    return rowsOf(given.active_only ? answers.filter(isActiveRecovery) : answers, cluster.state());
  },
});

function rowsOf(answers: readonly RecoveryAnswer[], state: ClusterState): readonly Row[] {
  return answers
    .toSorted((a, b) => (a.index === b.index ? a.shard - b.shard : a.index < b.index ? -1 : 1))
    .map((copy) => ({ index: copy.index, recovery: recoveryJson(copy, state) }));
}
