/** `indices.delete_alias`: removes aliases from indices. */
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { concreteActions } from "../../indices/alias-actions.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { splitList } from "../../parameters.ts";
import { expressionsOf, readState } from "../../state-reading.ts";

export const indicesDeleteAlias: Operation = defineOperation({
  group: "indices.delete_alias",
  permission: "indices:admin/aliases",
  routes: ["DELETE /{index}/_alias/{name}", "DELETE /{index}/_aliases/{name}"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const wanted = {
      kind: "remove",
      indices: expressionsOf(path["index"]),
      aliases: splitList(path["name"] ?? ""),
      metadata: {},
      mustExist: undefined,
    } as const;
    const actions = concreteActions(state, [wanted], {
      language: cluster.product.language,
      nowMs,
    });
    passBlocks(state, "metadata_write", [...new Set(actions.map(({ index }) => index))]);
    const { acknowledged } = await cluster.submit(
      { kind: "update-aliases", actions, nowMs },
      submitOptions(query),
    );
    return { body: { acknowledged } };
  },
});
