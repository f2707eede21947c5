/** `snapshot.create_repository`: registers a place for snapshots, or changes one; every node tries it unless told not to. */
import { flattenSettings } from "@orrery/cluster-state";
import { illegalArgument, isJsonObject, type JsonObject } from "@orrery/stdx";
import { acknowledgedParameters } from "../../indices/acknowledged.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { requiredObject } from "../../snapshots/body.ts";
import { validate } from "../../validation.ts";

export const snapshotCreateRepository: Operation = defineOperation({
  group: "snapshot.create_repository",
  routes: ["PUT /_snapshot/{repository}", "POST /_snapshot/{repository}"],
  query: { ...acknowledgedParameters, verify: flag(true) },
  body: requiredObject,
  deviations: [
    {
      kind: "behaviour",
      name: "compression_type",
      reason:
        "`deflate` and `none`; `zstd` is refused as the product refuses a compressor that is not installed",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const { type } = body;
    const settings = settingsIn(body);
    validate([typeof type !== "string" && "type is missing"]);
    const request = {
      name: path["repository"] ?? "",
      type: String(type),
      settings,
      verify: query.verify,
    };
    const { acknowledged } = await ask(cluster, "putRepository", request, query);
    return { body: { acknowledged } };
  },
});

/** Flat, every value as text. */
function settingsIn(body: JsonObject): JsonObject {
  const given = body["settings"];
  if (given === undefined) return {};
  if (!isJsonObject(given)) {
    throw illegalArgument("Malformed settings section, should include an inner object");
  }
  const entries = Object.entries(flattenSettings(given)).flatMap(([key, value]) =>
    value === null ? [] : [[key, typeof value === "string" ? value : value.join(",")] as const],
  );
  return Object.fromEntries(entries);
}
