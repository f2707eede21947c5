/** `create`: stores a document; fails when the id exists. */
import type { WriteItem } from "@orrery/node";
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
import { flag, onDemand, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

const notDescribed = "not in the description; the product reads it with the handler of index";

export const create: Operation = defineOperation({
  group: "create",
  permission: "indices:data/write/index",
  routes: ["PUT /{index}/_create/{id}", "POST /{index}/_create/{id}"],
  query: {
    ...writeParameters,
    ...versionParameters,
    ...conditionParameters,
    op_type: onDemand(text()),
    pipeline: text(),
    require_alias: flag(false),
    routing: text(),
  },
  body: requiredContent,
  isDocument: true,
  deviations: [
    { kind: "parameter", name: "if_seq_no", reason: notDescribed },
    { kind: "parameter", name: "if_primary_term", reason: notDescribed },
    { kind: "parameter", name: "op_type", reason: notDescribed },
    { kind: "parameter", name: "require_alias", reason: notDescribed },
  ],

  async handle({ path, query, body }, cluster) {
    const item: WriteItem = {
      operation: "create",
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
