/** `cat.snapshots`: snapshots of a repository. */
import type { ShownSnapshot } from "@orrery/node";
import { column, timeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { clockTime } from "../../dates.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout, onDemand, text } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { durationMs } from "../../snapshots/print.ts";
import { validate } from "../../validation.ts";

const query = {
  ...managerTimeout,
  ignore_unavailable: flag(false),
  repository: onDemand(text()),
};

const number = { isRight: true } as const;

type Row = ShownSnapshot & { readonly elapsedMs: number };

export const catSnapshots: Operation = defineCat<typeof query, Row>({
  group: "cat.snapshots",
  permission: "cluster:admin/snapshot/get",
  routes: ["GET /_cat/snapshots", "GET /_cat/snapshots/{repository}"],
  query,
  deviations: [],
  columns: [
    column("id", ({ name }) => name, { aliases: "id,snapshot", description: "unique snapshot" }),
    column("status", ({ state }) => state, { aliases: "s,status", description: "snapshot name" }),
    column("start_epoch", ({ startTimeMs }) => seconds(startTimeMs), {
      aliases: "ste,startEpoch",
      description: "start time in seconds since 1970-01-01 00:00:00",
    }),
    column("start_time", ({ startTimeMs }) => clockTime(startTimeMs), {
      aliases: "sti,startTime",
      description: "start time in HH:MM:SS",
    }),
    column("end_epoch", ({ endTimeMs }) => seconds(endTimeMs), {
      aliases: "ete,endEpoch",
      description: "end time in seconds since 1970-01-01 00:00:00",
    }),
    column("end_time", ({ endTimeMs }) => clockTime(endTimeMs), {
      aliases: "eti,endTime",
      description: "end time in HH:MM:SS",
    }),
    column("duration", ({ elapsedMs }) => timeCell(elapsedMs), {
      aliases: "dur,duration",
      description: "duration",
      ...number,
    }),
    column("indices", ({ indices }) => indices.length, {
      aliases: "i,indices",
      description: "number of indices",
      ...number,
    }),
    column("successful_shards", ({ successfulShards }) => successfulShards, {
      aliases: "ss,successful_shards",
      description: "number of successful shards",
      ...number,
    }),
    column("failed_shards", (row) => row.totalShards - row.successfulShards, {
      aliases: "fs,failed_shards",
      description: "number of failed shards",
      ...number,
    }),
    column("total_shards", ({ totalShards }) => totalShards, {
      aliases: "ts,total_shards",
      description: "number of total shards",
      ...number,
    }),
    column("reason", ({ reason }) => reason, {
      aliases: "r,reason",
      description: "reason for failures",
      isDefault: false,
    }),
  ],

  async rows(call, cluster) {
    const repository = call.path["repository"] ?? call.query.repository;
    validate([repository === undefined && "repository is missing"]);
    const request = {
      repository,
      snapshots: ["_all"],
      ignoreUnavailable: call.query.ignore_unavailable,
      verbose: true,
    };
    const { body } = await ask(cluster, "getSnapshots", request, call.query);
    const nowMs = cluster.clock.nowMs();
    return body.snapshots.map((snapshot) => ({
      ...snapshot,
      // A running snapshot shows the time since its start.
      elapsedMs: snapshot.endTimeMs === 0 ? nowMs - snapshot.startTimeMs : durationMs(snapshot),
    }));
  },
});

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
