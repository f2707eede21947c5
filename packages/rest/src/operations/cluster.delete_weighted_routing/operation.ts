/** `cluster.delete_weighted_routing`: removes the weights; reads ignore zones again. */
import { jsonDigits, isJsonObject, OperationError, type Json } from "@orrery/stdx";
import type { Content } from "../../content.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { numberFormatProblem } from "../../parameters.ts";
import { unreadable } from "../cluster.put_weighted_routing/body.ts";

/** Version of a request without one. No cluster ever has it, so the request conflicts. */
const noVersion = -2;

export const clusterDeleteWeightedRouting: Operation = defineOperation({
  group: "cluster.delete_weighted_routing",
  permission: "cluster:admin/routing/awareness/weights/delete",
  routes: [
    "DELETE /_cluster/routing/awareness/weights",
    "DELETE /_cluster/routing/awareness/{attribute}/weights",
  ],
  query: {},
  body: (content) => (content === undefined ? noVersion : versionOf(content)),
  deviations: [
    {
      kind: "route",
      name: "DELETE /_cluster/routing/awareness/{attribute}/weights",
      reason: "routed by the product, not in the description",
    },
  ],

  async handle({ path, body: version }, cluster) {
    const attribute = path["attribute"];
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit(
      {
        kind: "delete-weighted-routing",
        version,
        ...(attribute === undefined ? {} : { attribute }),
      },
      { priority: "URGENT" },
    );
    return { body: { acknowledged: true } };
  },
});

function versionOf(content: Content): number {
  const body = content.json();
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    throw unreadable("Empty request body");
  }
  let version = noVersion;
  for (const [key, value] of Object.entries(body)) {
    if (key !== "_version") {
      throw unreadable(
        `failed to parse delete weighted routing request body [${key}], unknown type`,
      );
    }
    version = parseVersion(value);
  }
  return version;
}

/** Parses the version like Java's `Long.parseLong`. */
function parseVersion(value: Json | undefined): number {
  const text = typeof value === "string" ? value : jsonDigits(value ?? null);
  if (/^[+-]?\d{1,18}$/.test(text)) return Number(text);
  throw new OperationError(numberFormatProblem(text));
}
