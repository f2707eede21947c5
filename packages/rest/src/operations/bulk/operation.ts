/** `bulk`: many writes in one request; each has its own result. */
import type { WriteFailure, WriteItem, WriteResult } from "@orrery/node";
import type { Problem } from "@orrery/stdx";
import { missingBody } from "../../body.ts";
import type { Content } from "../../content.ts";
import { readBulk, type BulkEntry } from "../../documents/bulk-lines.ts";
import { sourceFilterOf, sourceParameters } from "../../documents/source-filter.ts";
import { bulkItems } from "../../documents/write-answer.ts";
import { deleteProblems, indexProblems, updateProblems } from "../../documents/write-checks.ts";
import { writeOptions, writeParameters } from "../../documents/write-parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, int, onDemand, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const bulk: Operation = defineOperation({
  group: "bulk",
  routes: ["POST /_bulk", "PUT /_bulk", "POST /{index}/_bulk", "PUT /{index}/_bulk"],
  query: {
    ...writeParameters,
    ...sourceParameters,
    batch_size: onDemand(int()),
    pipeline: text(),
    require_alias: flag(),
    routing: text(),
  },
  isStream: true,
  body: requiredBytes,
  deviations: [
    {
      kind: "parameter",
      name: "batch_size",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "type",
      reason: "mapping types are gone: the product refuses it as unknown",
    },
    {
      kind: "behaviour",
      name: "batch_size",
      reason: "deprecated in the product as well; accepted and without effect",
    },
  ],

  async handle({ path, query, body, request }, cluster) {
    if (query.batch_size !== undefined) {
      request.warn("The batch size option in bulk API is deprecated and will be removed in 3.0.");
    }
    const entries = readBulk(body, {
      index: path["index"],
      routing: query.routing,
      pipeline: query.pipeline,
      requireAlias: query.require_alias,
      source: sourceFilterOf(query),
    });
    validate(problemsOf(entries));
    const refused = entries.map(refusalOf);
    const sent = entries.flatMap((entry, i) => (refused[i] === undefined ? [entry.item] : []));
    const answer =
      sent.length === 0
        ? { tookMs: 0, items: [] }
        : await cluster.bulk({ ...writeOptions(query), items: sent });
    const items = merged(refused, answer.items);
    const hasPipelines = entries.some((entry) => namesPipeline(entry));
    return {
      body: {
        took: answer.tookMs,
        ingest_took: hasPipelines ? 0 : undefined,
        errors: items.some((item) => item.kind === "failed"),
        items: bulkItems(items, request.isDetailed),
      },
    };
  },
});

function requiredBytes(content: Content | undefined): Uint8Array {
  if (content === undefined) throw missingBody();
  return content.bytes;
}

/** One list over all entries; nearly always empty, so it is not made of thousands of small ones. */
function problemsOf(entries: readonly BulkEntry[]): string[] {
  if (entries.length === 0) return ["no requests added"];
  const problems: string[] = [];
  for (const entry of entries) {
    for (const problem of entryProblems(entry)) {
      if (typeof problem === "string") problems.push(problem);
    }
  }
  return problems;
}

function entryProblems({ item, update }: BulkEntry): (string | undefined | false)[] {
  if (update !== undefined) return updateProblems(item, update);
  return item.operation === "delete" ? deleteProblems(item) : indexProblems(item);
}

function namesPipeline({ pipeline }: BulkEntry): boolean {
  return pipeline !== undefined && pipeline !== "_none";
}

/** Items that fail before anything is sent. */
function refusalOf(entry: BulkEntry): WriteFailure | undefined {
  const { item } = entry;
  if (item.id === "") return failure(item, "if _id is specified it must not be empty");
  if (!namesPipeline(entry)) return undefined;
  return failure(item, `pipeline with id [${entry.pipeline}] does not exist`);
}

function failure(item: WriteItem, reason: string): WriteFailure {
  const problem: Problem = { type: "illegal_argument_exception", reason, status: 400 };
  return {
    kind: "failed",
    operation: item.operation,
    index: item.index,
    id: item.id,
    status: 400,
    problem,
  };
}

function merged(
  refused: readonly (WriteFailure | undefined)[],
  answered: readonly (WriteResult | WriteFailure)[],
): (WriteResult | WriteFailure)[] {
  let next = 0;
  return refused.flatMap((failed) => {
    if (failed !== undefined) return [failed];
    const answer = answered[next];
    next += 1;
    return answer === undefined ? [] : [answer];
  });
}
