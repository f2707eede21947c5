/** `indices.create`: creates an index with settings, mapping and aliases; responds when enough copies are active. */
import { resolveDateMath } from "@orrery/cluster-state";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { waitForActiveShards } from "../../indices/active-shards.ts";
import { passBlocks, passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { activeShards } from "../../parameters.ts";
import { newIndexBody } from "./body.ts";
import { planNewIndex } from "./plan.ts";

export const indicesCreate: Operation = defineOperation({
  group: "indices.create",
  permission: "indices:admin/create",
  routes: ["PUT /{index}"],
  query: { ...acknowledgedParameters, wait_for_active_shards: activeShards() },
  body: newIndexBody,
  deviations: [],

  async handle({ path, query, body, request: view }, cluster) {
    const state = await cluster.managerState(submitOptions(query).managerTimeoutMs ?? 30_000);
    const creationDateMs = cluster.clock.nowMs();
    const providedName = path["index"] ?? "";
    const name = resolveDateMath(providedName, creationDateMs);
    passPermanentBlocks(state, "metadata_write", [name]);
    passBlocks(state, "create_index", []);
    const judging = {
      language: cluster.product.language,
      rules: cluster.product.rules,
      random: cluster.random,
      nowMs: creationDateMs,
    };
    const planned = planNewIndex(state, { ...body, name, providedName }, judging);
    for (const warning of planned.warnings) view.warn(warning);
    if (name.startsWith(".") && planned.task.settings["index.hidden"] !== "true") {
      view.warn(
        `index name [${name}] starts with a dot '.', in the next major version, index names starting with a dot are reserved for hidden indices and system indices`,
      );
    }
    const { acknowledged } = await cluster.submit(planned.task, submitOptions(query));
    const wait = { wanted: query.wait_for_active_shards, timeoutMs: query.timeout };
    const areActive = acknowledged && (await waitForActiveShards(cluster, [name], wait));
    return { body: { acknowledged, shards_acknowledged: areActive, index: name } };
  },
});
