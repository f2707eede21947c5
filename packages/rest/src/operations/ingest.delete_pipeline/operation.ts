/** `ingest.delete_pipeline`: deletes ingest pipelines by id or pattern; references from index settings stay. */
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const ingestDeletePipeline: Operation = defineOperation({
  group: "ingest.delete_pipeline",
  permission: "cluster:admin/ingest/pipeline/delete",
  routes: ["DELETE /_ingest/pipeline/{id}"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const task = { kind: "delete-ingest-pipelines", pattern: path["id"] ?? "" } as const;
    const { acknowledged } = await cluster.submit(task, submitOptions(query, "NORMAL"));
    return { body: { acknowledged } };
  },
});
