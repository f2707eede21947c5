/** `delete`: deletes one document. A missing document is 404 with the complete response. */
import { emptyBytes } from "@orrery/stdx";
import type { WriteItem } from "@orrery/node";
import { writeAnswer } from "../../documents/write-answer.ts";
import { deleteProblems } from "../../documents/write-checks.ts";
import {
  conditionParameters,
  guards,
  versionParameters,
  writeOptions,
  writeParameters,
} from "../../documents/write-parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const deleteDocument: Operation = defineOperation({
  group: "delete",
  permission: "indices:data/write/delete",
  routes: ["DELETE /{index}/_doc/{id}"],
  query: { ...writeParameters, ...versionParameters, ...conditionParameters, routing: text() },
  deviations: [],

  async handle({ path, query }, cluster) {
    const item: WriteItem = {
      operation: "delete",
      index: path["index"] ?? "",
      id: path["id"],
      routing: query.routing,
      source: emptyBytes,
      ...guards(query),
    };
    validate(deleteProblems(item));
    return writeAnswer(await cluster.write(item, writeOptions(query)), item, cluster);
  },
});
