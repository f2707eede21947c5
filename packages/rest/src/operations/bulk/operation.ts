/** `bulk`: many writes in one request, each with a result of its own. */
import type { Cluster, WriteFailure, WriteItem, WriteOptions, WriteResult } from "@orrery/node";
import { concatBytes, type Problem } from "@orrery/stdx";
import { missingBody } from "../../body.ts";
import type { Content } from "../../content.ts";
import { readBulk, type BulkEntry } from "../../documents/bulk-lines.ts";
import { LARGE_BULK_BYTES, mergeAnswers, writeInSlices } from "../../documents/bulk-slices.ts";
import { sourceFilterOf, sourceParameters } from "../../documents/source-filter.ts";
import { bulkItems } from "../../documents/write-answer.ts";
import { deleteProblems, indexProblems, updateProblems } from "../../documents/write-checks.ts";
import { writeOptions, writeParameters } from "../../documents/write-parameters.ts";
import { raw, type Printable, type PrintableObject } from "../../json/printable.ts";
import { writeCompact } from "../../json/write-json.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, int, onDemand, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const bulk: Operation = defineOperation({
  group: "bulk",
  permission: "indices:data/write/bulk",
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
      kind: "behaviour",
      name: "order of items",
      reason:
        "items of the response are in the order of the request; the product lists items that fail before their pipelines run first",
    },
    {
      kind: "behaviour",
      name: "dropped updates",
      reason:
        "if a pipeline drops the upsert of an update, the item of the response is an `update` with its id; in the product it is an `index` with the id `auto-generated`",
    },
    {
      kind: "behaviour",
      name: "malformed documents with pipelines",
      reason: "such a document fails alone; in the product the documents after it fail, too",
    },
    {
      kind: "behaviour",
      name: "versions set by pipelines",
      reason:
        "a version that a pipeline sets is checked like that of a request, and may be external; the product compares it as an internal version, and writes -3 if an external version is missing",
    },
    {
      kind: "behaviour",
      name: "nodes that run pipelines",
      reason:
        "the coordinating node of the write runs the pipelines, whatever its roles; the product forwards to a node with the role `ingest`, and rejects the request if there is none",
    },
    {
      kind: "behaviour",
      name: "versions and sequence numbers beyond 2^53 - 1",
      reason:
        "the product accepts 64 bits; rejected here, since with a rounded version an older write could win",
    },
    {
      kind: "parameter",
      name: "batch_size",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "type",
      reason: "mapping types were removed: the product rejects the parameter as unknown",
    },
    {
      kind: "behaviour",
      name: "batch_size",
      reason: "deprecated in the product; accepted here, without effect",
    },
  ],

  async handle({ path, query, body, request }, cluster) {
    if (query.batch_size !== undefined) {
      request.warn("The batch size option in bulk API is deprecated and will be removed in 3.0.");
    }
    const read = (): Generator<BulkEntry, void> =>
      readBulk(body, {
        index: path["index"],
        routing: query.routing,
        pipeline: query.pipeline,
        requireAlias: query.require_alias,
        source: sourceFilterOf(query),
      });
    const print = (items: readonly (WriteResult | WriteFailure)[]): Printable =>
      bulkItems(items, request.isDetailed);
    const options = writeOptions(query);
    if (body.length >= LARGE_BULK_BYTES)
      return { body: await writeLarge({ cluster, read, options, print }) };
    const entries = [...read()];
    validate(problemsOf(entries));
    const refused = entries.map(refusalOf);
    const sent = entries.flatMap((entry, i) => (refused[i] === undefined ? [entry.item] : []));
    const answer =
      sent.length === 0
        ? { tookMs: 0, ingestTookMs: undefined, items: [] }
        : await cluster.bulk({ ...options, items: sent });
    const items = mergeAnswers(refused, answer.items);
    return {
      body: {
        took: answer.tookMs,
        ingest_took: answer.ingestTookMs,
        errors: items.some((item) => item.kind === "failed"),
        items: print(items),
      },
    };
  },
});

interface Large {
  readonly cluster: Cluster;
  readonly read: () => Generator<BulkEntry, void>;
  readonly options: WriteOptions;
  readonly print: (items: readonly (WriteResult | WriteFailure)[]) => Printable;
}

async function writeLarge({ cluster, read, options, print }: Large): Promise<PrintableObject> {
  const { tookMs, ingestTookMs, hasErrors, items } = await writeInSlices(cluster, {
    entries: read,
    options,
    problemsOf: (entry) =>
      entryProblems(entry).flatMap((one) => (typeof one === "string" ? [one] : [])),
    checkProblems: (problems, count) => validate(count === 0 ? [NOTHING_ADDED] : problems),
    refusalOf,
    print: (some) => {
      // Items are kept as bytes, which take less memory than strings; the list's own brackets are cut off.
      const list = concatBytes(writeCompact(print(some)));
      return raw(list.subarray(1, list.length - 1));
    },
  });
  const took = { took: tookMs, ingest_took: ingestTookMs };
  return { ...took, errors: hasErrors, items };
}

function requiredBytes(content: Content | undefined): Uint8Array {
  if (content === undefined) throw missingBody();
  return content.bytes;
}

const NOTHING_ADDED = "no requests added";

/** Problems of all entries in one list, which is nearly always empty, instead of one list per entry. */
function problemsOf(entries: readonly BulkEntry[]): string[] {
  if (entries.length === 0) return [NOTHING_ADDED];
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

/** The failure of an item that is refused before anything is sent. */
function refusalOf({ item }: BulkEntry): WriteFailure | undefined {
  return item.id === "" ? failure(item, "if _id is specified it must not be empty") : undefined;
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
