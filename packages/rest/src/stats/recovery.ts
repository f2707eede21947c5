/** JSON of one shard recovery. Source: `RecoveryState`. */
import type { ShardAnswers } from "@orrery/node";
import type { ClusterState } from "@orrery/cluster-state";
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import type { Printable, PrintableObject } from "../json/printable.ts";

/** The report of one shard copy on its recovery. */
export type RecoveryAnswer = ShardAnswers["answers"][number];

/** The recovery of one copy; `isDetailed` lists its files. */
export function recoveryJson(
  copy: RecoveryAnswer,
  state: ClusterState,
  isDetailed = false,
): PrintableObject {
  const { body } = copy;
  const index = objectOf(body["index"]);
  const size = objectOf(index["size"]);
  const files = objectOf(index["files"]);
  const translog = objectOf(body["translog"]);
  const verify = objectOf(body["verify_index"]);
  const stopped = body["stop_time_in_millis"];
  return {
    id: copy.shard,
    type: textOf(body["type"], "EMPTY_STORE"),
    stage: textOf(body["stage"], "DONE"),
    primary: copy.primary,
    start_time_in_millis: numberOf(body["start_time_in_millis"]),
    stop_time_in_millis: stopped === undefined || stopped === null ? undefined : numberOf(stopped),
    total_time_in_millis: numberOf(body["total_time_in_millis"]),
    source: isJsonObject(body["source"]) ? body["source"] : {},
    target: isJsonObject(body["target"]) ? body["target"] : nodeJson(state, copy.nodeId),
    index: {
      size: {
        total_in_bytes: numberOf(size["total_in_bytes"]),
        reused_in_bytes: numberOf(size["reused_in_bytes"]),
        recovered_in_bytes: numberOf(size["recovered_in_bytes"]),
        percent: percent(
          numberOf(size["recovered_in_bytes"]),
          numberOf(size["total_in_bytes"]) - numberOf(size["reused_in_bytes"]),
        ),
      },
      files: {
        total: numberOf(files["total"]),
        reused: numberOf(files["reused"]),
        recovered: numberOf(files["recovered"]),
        percent: percent(
          numberOf(files["recovered"]),
          numberOf(files["total"]) - numberOf(files["reused"]),
        ),
        details: isDetailed ? fileDetails(files["details"]) : undefined,
      },
      total_time_in_millis: numberOf(index["total_time_in_millis"]),
      source_throttle_time_in_millis: numberOf(index["source_throttle_time_in_millis"]),
      target_throttle_time_in_millis: numberOf(index["target_throttle_time_in_millis"]),
    },
    translog: {
      recovered: numberOf(translog["recovered"]),
      total: numberOf(translog["total"]),
      percent: translogPercent(numberOf(translog["recovered"]), numberOf(translog["total"])),
      total_on_start: numberOf(translog["total_on_start"]),
      total_time_in_millis: numberOf(translog["total_time_in_millis"]),
    },
    verify_index: {
      check_index_time_in_millis: numberOf(verify["check_index_time_in_millis"]),
      total_time_in_millis: numberOf(verify["total_time_in_millis"]),
    },
  };
}

function fileDetails(details: Json | undefined): Printable {
  const files = (Array.isArray(details) ? details : []) as readonly Json[];
  return files.map(objectOf).map((file) => ({
    name: textOf(file["name"], ""),
    length_in_bytes: numberOf(file["length"]),
    reused: file["reused"] === true,
    recovered_in_bytes: numberOf(file["recovered"]),
  }));
}

/** Whether the recovery has not reached its last stage. */
export function isActiveRecovery({ body }: RecoveryAnswer): boolean {
  return textOf(body["stage"], "DONE") !== "DONE";
}

/** The node of a recovery, as the response shows it. */
export function nodeJson(state: ClusterState, nodeId: string): PrintableObject {
  const node = [...state.nodes.values()].find(({ id }) => id === nodeId);
  if (node === undefined) return {};
  return {
    id: node.id,
    host: node.hostName,
    transport_address: node.transportAddress,
    ip: node.hostAddress,
    name: node.name,
  };
}

/** Progress in percent. A recovery with nothing to recover is at 0 %, as in the product. */
function percent(recovered: number, wanted: number): string {
  return wanted <= 0 ? "0.0%" : `${((recovered / wanted) * 100).toFixed(1)}%`;
}

function translogPercent(recovered: number, total: number): string {
  if (total < 0) return "-1.0%";
  return total === 0 ? "100.0%" : `${((recovered / total) * 100).toFixed(1)}%`;
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a number, else 0. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** The value if it is a text, else the fallback. */
export function textOf(value: Json | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
