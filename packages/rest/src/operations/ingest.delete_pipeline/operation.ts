/** `ingest.delete_pipeline`: removes ingest pipelines by id or pattern; indices that name one keep its name. */
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { passLastingBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const ingestDeletePipeline: Operation = defineOperation({
  group: "ingest.delete_pipeline",
  permission: "cluster:admin/ingest/pipeline/delete",
  routes: ["DELETE /_ingest/pipeline/{id}"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    passLastingBlocks(cluster.state(), "metadata_write", []);
    const task = { kind: "delete-ingest-pipelines", pattern: path["id"] ?? "" } as const;
    const { acknowledged } = await cluster.submit(task, submitOptions(query, "NORMAL"));
    return { body: { acknowledged } };
  },
});
