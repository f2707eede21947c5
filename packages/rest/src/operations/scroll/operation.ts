/** `scroll`: the next page of a scroll. */
import type { Content } from "../../content.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, flag, parseTime, text } from "../../parameters.ts";
import { readObject, unknownParameter } from "../../search/id-body.ts";
import { searchAnswer } from "../../search/print.ts";
import { validate } from "../../validation.ts";
import { clientOf } from "../../search/client.ts";

interface ScrollBody {
  readonly scrollId?: string;
  readonly keepAliveMs?: number;
}

export const scroll: Operation = defineOperation({
  group: "scroll",
  permission: "indices:data/read/scroll",
  routes: [
    "GET /_search/scroll",
    "POST /_search/scroll",
    "GET /_search/scroll/{scroll_id}",
    "POST /_search/scroll/{scroll_id}",
  ],
  query: {
    scroll: duration(),
    scroll_id: text(),
    rest_total_hits_as_int: flag(false),
  },
  body: readBody,
  deviations: [],

  async handle({ path, query, body, request }, cluster) {
    const scrollId = body.scrollId ?? path["scroll_id"] ?? query.scroll_id;
    validate([scrollId === undefined && "scrollId is missing"]);
    const answer = await cluster.scroll({
      scrollId: scrollId ?? "",
      // The body takes precedence over parameters.
      keepAliveMs: body.keepAliveMs ?? query.scroll,
      ...clientOf(request),
    });
    const shape = { isTotalNumber: query.rest_total_hits_as_int, typedKeys: false };
    return { body: await searchAnswer(cluster, answer, shape) };
  },
});

function readBody(content: Content | undefined): ScrollBody {
  if (content === undefined) return {};
  const body: { scrollId?: string; keepAliveMs?: number } = {};
  for (const [name, value] of Object.entries(readObject(content))) {
    if (typeof value !== "string") throw unknownParameter(name, value);
    if (name === "scroll_id") body.scrollId = value;
    else if (name === "scroll") body.keepAliveMs = parseTime(value, "scroll");
    else throw unknownParameter(name, value);
  }
  return body;
}
