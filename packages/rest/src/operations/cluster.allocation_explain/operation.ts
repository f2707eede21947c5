/** `cluster.allocation_explain`: the decisions of all deciders about one shard copy. */
import type { ExplainAllocationRequest } from "@orrery/node";
import { isJsonObject, OperationError, similar, type Json, type JsonObject } from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag } from "../../parameters.ts";
import { validate } from "../../validation.ts";

const KEYS = ["index", "shard", "primary", "current_node"];

export const clusterAllocationExplain: Operation = defineOperation({
  group: "cluster.allocation_explain",
  permission: "cluster:monitor/allocation/explain",
  routes: ["GET /_cluster/allocation/explain", "POST /_cluster/allocation/explain"],
  query: {
    include_yes_decisions: flag(false),
    include_disk_info: flag(false),
  },
  body: targetOf,
  deviations: [
    {
      kind: "behaviour",
      name: "deciders",
      reason:
        "an empty list where no decider is to be shown, as the description demands; the product leaves it out, which typed clients reject",
      isLeniency: true,
    },
  ],

  async handle({ query, body }, cluster) {
    const answer = await cluster.explainAllocation({
      target: body,
      includeYesDecisions: query.include_yes_decisions,
      includeDiskInfo: query.include_disk_info,
    });
    return { body: (cluster.isStrict ? answer : withDeciders(answer)) as PrintableObject };
  },
});

/** The explanation with an empty list of deciders for nodes that have none to be shown. */
function withDeciders(answer: JsonObject): JsonObject {
  const { node_allocation_decisions: decisions } = answer;
  if (!Array.isArray(decisions)) return answer;
  const shown = decisions.map((one) =>
    isJsonObject(one) && one["deciders"] === undefined ? { ...one, deciders: [] } : one,
  );
  return { ...answer, node_allocation_decisions: shown };
}

function targetOf(content: Content | undefined): ExplainAllocationRequest["target"] {
  if (content === undefined) return undefined;
  const body = content.object();
  if (Object.keys(body).length === 0) return undefined;
  for (const key of Object.keys(body)) {
    if (!KEYS.includes(key)) throw unknownField(content, key);
  }
  const { index, shard, primary, current_node: currentNode } = body;
  validate([
    index === undefined && "index must be specified",
    shard === undefined && "shard must be specified",
    primary === undefined && "primary must be specified",
  ]);
  const target = {
    index: textOf(content, "index", index),
    shard: numberOf(content, "shard", shard),
    primary: primary === true || primary === "true",
  };
  if (currentNode === undefined) return target;
  return { ...target, currentNode: textOf(content, "current_node", currentNode) };
}

function textOf(content: Content, key: string, value: Json | undefined): string {
  if (typeof value !== "object") return String(value);
  throw unsuitable(content, key, value);
}

function numberOf(content: Content, key: string, value: Json | undefined): number {
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number)) return number;
  throw unsuitable(content, key, value);
}

function unsuitable(content: Content, key: string, value: Json | undefined): OperationError {
  const reason = `${content.at([key], "value")} [cluster/allocation/explain] ${key} doesn't support values of type: ${tokenOf(value)}`;
  return new OperationError({ type: "x_content_parse_exception", reason, status: 400 });
}

function unknownField(content: Content, key: string): OperationError {
  const near = similar(key, KEYS);
  const hint = near.length === 0 ? "" : ` did you mean [${near[0]}]?`;
  const reason = `${content.at([key], "key")} [cluster/allocation/explain] unknown field [${key}]${hint}`;
  return new OperationError({ type: "x_content_parse_exception", reason, status: 400 });
}
