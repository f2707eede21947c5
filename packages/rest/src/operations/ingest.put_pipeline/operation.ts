/** `ingest.put_pipeline`: stores the definition of an ingest pipeline after compiling it. */
import { createPipeline, printTree, readMap, type TreeObject } from "@orrery/node";
import { missingBodyOrSource } from "../../body.ts";
import type { Content } from "../../content.ts";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const ingestPutPipeline: Operation = defineOperation({
  group: "ingest.put_pipeline",
  permission: "cluster:admin/ingest/pipeline/put",
  routes: ["PUT /_ingest/pipeline/{id}"],
  query: acknowledgedParameters,
  body: definitionOf,
  deviations: [
    {
      kind: "behaviour",
      name: "processors",
      reason:
        "of the product's types `drop`, `fail`, `pipeline`, `remove`, `rename` and `set` are implemented; any other is rejected with the product's error for an unknown type",
    },
    {
      kind: "behaviour",
      name: "if",
      reason: "pipelines run no scripts yet: a processor with a condition is rejected",
    },
    {
      kind: "behaviour",
      name: "templates",
      reason:
        "a template may only contain names of fields: sections and partials of mustache are rejected",
    },
    {
      kind: "behaviour",
      name: "numbers",
      reason:
        "numbers in a pipeline keep the digits that were sent, in `GET` and in documents; the product parses them and prints doubles",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const id = path["id"] ?? "";
    createPipeline(id, body, cluster.product.processors);
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const task = { kind: "put-ingest-pipeline", id, definition: printTree(body) } as const;
    const { acknowledged } = await cluster.submit(task, submitOptions(query, "NORMAL"));
    return { body: { acknowledged } };
  },
});

function definitionOf(content: Content | undefined): TreeObject {
  if (content === undefined) throw missingBodyOrSource();
  return readMap(content.bytes);
}
