/** `mget`: reads many documents by id in one request. */
import type { GetRequest } from "@orrery/node";
import { requiredContentOrSource } from "../../body.ts";
import { getJson } from "../../documents/get-answer.ts";
import { storedFieldsParameter } from "../../documents/get-parameters.ts";
import { sourceFilterOf, sourceParameters } from "../../documents/source-filter.ts";
import { errorBody } from "../../errors.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, text } from "../../parameters.ts";
import { clientOf } from "../../search/client.ts";
import { validate } from "../../validation.ts";
import { multiGetItems } from "./items.ts";

export const mget: Operation = defineOperation({
  group: "mget",
  permission: "indices:data/read/mget",
  routes: ["GET /_mget", "POST /_mget", "GET /{index}/_mget", "POST /{index}/_mget"],
  query: {
    ...sourceParameters,
    preference: text(),
    realtime: flag(true),
    refresh: flag(false),
    routing: text(),
    stored_fields: storedFieldsParameter,
  },
  body: requiredContentOrSource,
  deviations: [],

  async handle({ path, query, body, request }, cluster) {
    const items = multiGetItems(body, {
      index: path["index"],
      routing: query.routing,
      preference: query.preference,
      realtime: query.realtime,
      refresh: query.refresh,
      storedFields: query.stored_fields,
      source: sourceFilterOf(query),
    });
    validate([
      items.length === 0 && "no documents to get",
      ...items.flatMap((item, i) => [
        item.index === undefined && `index is missing for doc ${i}`,
        item.id === undefined && `id is missing for doc ${i}`,
      ]),
    ]);
    const requests = items.map((item): GetRequest => ({
      ...item,
      index: item.index ?? "",
      id: item.id ?? "",
    }));
    const answers = await cluster.multiGet(requests, clientOf(request));
    return {
      body: {
        docs: answers.map((answer) =>
          "problem" in answer
            ? {
                _index: answer.index,
                _id: answer.id,
                error: errorBody(answer.problem, { isDetailed: request.isDetailed }),
              }
            : getJson(answer),
        ),
      },
    };
  },
});
