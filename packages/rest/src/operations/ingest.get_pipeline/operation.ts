/** `ingest.get_pipeline`: definitions of ingest pipelines, by ids or patterns. */
import { ingestPipelinesOf } from "@orrery/cluster-state";
import { matchesGlob } from "@orrery/stdx";
import { raw } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout, splitNames } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

export const ingestGetPipeline: Operation = defineOperation({
  group: "ingest.get_pipeline",
  permission: "cluster:admin/ingest/pipeline/get",
  routes: ["GET /_ingest/pipeline", "GET /_ingest/pipeline/{id}"],
  query: managerTimeout,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const patterns = path["id"] === undefined ? ["*"] : splitNames(path["id"]);
    const shown = [...ingestPipelinesOf(state)].filter(([id]) =>
      patterns.some((pattern) => matchesGlob(pattern, id)),
    );
    const body = Object.fromEntries(shown.map(([id, definition]) => [id, raw(definition)]));
    return { status: shown.length === 0 ? 404 : 200, body };
  },
});
