/** `indices.flush`: commits segments and trims the translog. */
import { broadcastAnswer, broadcastRequest } from "../../broadcast.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets } from "../../parameters.ts";
import { validate } from "../../validation.ts";

const synced =
  "removed from the description; the product still answers with a normal flush and a warning";

export const indicesFlush: Operation = defineOperation({
  group: "indices.flush",
  permission: "indices:admin/flush",
  routes: [
    "GET /_flush",
    "POST /_flush",
    "GET /{index}/_flush",
    "POST /{index}/_flush",
    "GET /_flush/synced",
    "POST /_flush/synced",
    "GET /{index}/_flush/synced",
    "POST /{index}/_flush/synced",
  ],
  query: { ...indexTargets, force: flag(false), wait_if_ongoing: flag(true) },
  deviations: [
    { kind: "route", name: "GET /_flush/synced", reason: synced },
    { kind: "route", name: "POST /_flush/synced", reason: synced },
    { kind: "route", name: "GET /{index}/_flush/synced", reason: synced },
    { kind: "route", name: "POST /{index}/_flush/synced", reason: synced },
  ],

  async handle({ path, query, request }, cluster) {
    validate([
      query.force && !query.wait_if_ongoing && "wait_if_ongoing must be true for a force flush",
    ]);
    if (request.path.endsWith("/synced")) {
      request.warn(
        "Synced flush was removed and a normal flush was performed instead. This transition will be removed in a future version.",
      );
    }
    const { shards } = await cluster.flush({
      ...broadcastRequest(path["index"], query),
      force: query.force,
      waitIfOngoing: query.wait_if_ongoing,
    });
    return broadcastAnswer(shards);
  },
});
