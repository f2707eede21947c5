/** `indices.update_aliases`: adds and removes aliases atomically. */
import { requiredContent } from "../../body.ts";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { concreteActions } from "../../indices/alias-actions.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { readState } from "../../state-reading.ts";
import { wantedActions } from "./actions.ts";

export const indicesUpdateAliases: Operation = defineOperation({
  group: "indices.update_aliases",
  permission: "indices:admin/aliases",
  routes: ["POST /_aliases"],
  query: acknowledgedParameters,
  body: (content, request) => wantedActions(requiredContent(content, request)),
  deviations: [],

  async handle({ query, body }, cluster) {
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const actions = concreteActions(state, body, {
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
