/** `update`: merges a partial document into a stored one, or runs a script on it. */
import type { WriteItem } from "@orrery/node";
import { emptyBytes } from "@orrery/stdx";
import {
  sourceFilterOf,
  sourceFilterOfJson,
  sourceParameters,
} from "../../documents/source-filter.ts";
import { readUpdateBody, type UpdateBody } from "../../documents/update-body.ts";
import { writeAnswer } from "../../documents/write-answer.ts";
import { updateProblems } from "../../documents/write-checks.ts";
import {
  conditionParameters,
  guards,
  versionParameters,
  writeOptions,
  writeParameters,
} from "../../documents/write-parameters.ts";
import type { Content } from "../../content.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, int, onDemand, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

const refused = "the product knows the parameter only to reject it: an update takes no version";

export const update: Operation = defineOperation({
  group: "update",
  permission: "indices:data/write/update",
  routes: ["POST /{index}/_update/{id}"],
  query: {
    ...writeParameters,
    ...sourceParameters,
    ...conditionParameters,
    version: onDemand(versionParameters.version),
    version_type: onDemand(versionParameters.version_type),
    lang: onDemand(text()),
    require_alias: flag(false),
    retry_on_conflict: int(0),
    routing: text(),
  },
  body: readBody,
  deviations: [
    { kind: "parameter", name: "version", reason: refused },
    { kind: "parameter", name: "version_type", reason: refused },
    {
      kind: "behaviour",
      name: "documents that pipelines drop",
      reason:
        "the result is `noop` with a placeholder version; the product fails with a class cast exception",
    },
  ],

  async handle({ path, query, body }, cluster) {
    if (query.version !== undefined || query.version_type !== undefined) {
      validate([
        "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
      ]);
    }
    const condition = guards({
      if_seq_no: body.view.ifSeqNo ?? query.if_seq_no,
      if_primary_term: body.view.ifPrimaryTerm ?? query.if_primary_term,
    });
    const item: WriteItem = {
      operation: "update",
      index: path["index"] ?? "",
      id: path["id"],
      routing: query.routing,
      source: body.bytes,
      retryOnConflict: query.retry_on_conflict,
      requireAlias: query.require_alias,
      fetchSource: sourceFilterOfJson(body.view.source) ?? sourceFilterOf(query) ?? false,
      ...condition,
    };
    validate(updateProblems(item, body.view));
    return writeAnswer(await cluster.write(item, writeOptions(query)), item, cluster);
  },
});

const NOTHING: UpdateBody = {
  hasScript: false,
  hasDoc: false,
  hasUpsert: false,
  docAsUpsert: false,
  source: undefined,
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
};

function readBody(content: Content | undefined): {
  readonly bytes: Uint8Array;
  readonly view: UpdateBody;
} {
  if (content === undefined) return { bytes: emptyBytes, view: NOTHING };
  return { bytes: content.bytes, view: readUpdateBody(content) };
}
