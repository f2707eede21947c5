/** `index`: stores a document under a given or a generated id. */
import type { WriteItem } from "@orrery/node";
import { illegalArgument } from "@orrery/stdx";
import { requiredContent } from "../../body.ts";
import { writeAnswer } from "../../documents/write-answer.ts";
import { indexProblems } from "../../documents/write-checks.ts";
import {
  conditionParameters,
  guards,
  versionParameters,
  writeOptions,
  writeParameters,
} from "../../documents/write-parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const index: Operation = defineOperation({
  group: "index",
  permission: "indices:data/write/index",
  routes: ["PUT /{index}/_doc/{id}", "POST /{index}/_doc/{id}", "POST /{index}/_doc"],
  query: {
    ...writeParameters,
    ...versionParameters,
    ...conditionParameters,
    op_type: text(),
    pipeline: text(),
    require_alias: flag(false),
    routing: text(),
  },
  body: requiredContent,
  isDocument: true,
  deviations: [
    {
      kind: "behaviour",
      name: "versions and sequence numbers beyond 2^53 - 1",
      reason:
        "the product accepts 64 bits; rejected here, since with a rounded version an older write could win",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const operation = operationOf(query.op_type, path["id"]);
    const item: WriteItem = {
      operation,
      index: path["index"] ?? "",
      id: path["id"],
      routing: query.routing,
      source: body.bytes,
      requireAlias: query.require_alias,
      ...(query.pipeline === undefined ? {} : { pipeline: query.pipeline }),
      ...guards(query),
    };
    validate(indexProblems(item));
    return writeAnswer(await cluster.write(item, writeOptions(query)), item, cluster);
  },
});

function operationOf(opType: string | undefined, id: string | undefined): "index" | "create" {
  if (opType === undefined) return id === undefined ? "create" : "index";
  const name = opType.toLowerCase();
  if (name === "create" || name === "index") return name;
  throw illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`);
}
