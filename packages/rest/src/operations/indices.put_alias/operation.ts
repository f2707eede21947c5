/** `indices.put_alias`: adds an alias to indices, with optional filter and routing. */
import { javaText, illegalArgument, type JsonObject } from "@orrery/stdx";
import { optionalMap } from "../../body.ts";
import { acknowledgedParameters, submitOptions } from "../../indices/acknowledged.ts";
import { concreteActions } from "../../indices/alias-actions.ts";
import { aliasOfJson } from "../../indices/alias-metadata.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { splitList } from "../../parameters.ts";
import { expressionsOf, readState } from "../../state-reading.ts";

export const indicesPutAlias: Operation = defineOperation({
  group: "indices.put_alias",
  permission: "indices:admin/aliases",
  routes: [
    "PUT /{index}/_alias/{name}",
    "POST /{index}/_alias/{name}",
    "PUT /{index}/_aliases/{name}",
    "POST /{index}/_aliases/{name}",
    "PUT /_alias/{name}",
    "POST /_alias/{name}",
    "PUT /_aliases/{name}",
    "POST /_aliases/{name}",
    "PUT /{index}/_alias",
    "PUT /{index}/_aliases",
    "PUT /_alias",
  ],
  query: acknowledgedParameters,
  body: optionalMap,
  deviations: [],

  async handle({ path, query, body }, cluster) {
    const object: JsonObject = body?.object ?? {};
    const indices =
      object["index"] === undefined
        ? expressionsOf(path["index"])
        : splitList(javaText(object["index"]));
    const alias = object["alias"] === undefined ? path["name"] : javaText(object["alias"]);
    if (indices.length === 0) throw illegalArgument("[index/indices] can't be empty");
    if (alias === undefined || alias === "") throw illegalArgument("[alias] can't be empty string");
    const state = await readState(cluster, query);
    const nowMs = cluster.clock.nowMs();
    const wanted = {
      kind: "add",
      indices,
      aliases: [alias],
      metadata: aliasOfJson(object),
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
