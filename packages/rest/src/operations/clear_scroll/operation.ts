/** `clear_scroll`: ends scrolls before their keep-alive expires. */
import type { Content } from "../../content.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { splitList, text } from "../../parameters.ts";
import { readIds } from "../../search/id-body.ts";
import { validate } from "../../validation.ts";

export const clearScroll: Operation = defineOperation({
  group: "clear_scroll",
  permission: "indices:data/read/scroll/clear",
  routes: ["DELETE /_search/scroll", "DELETE /_search/scroll/{scroll_id}"],
  query: { scroll_id: text() },
  body: (content: Content | undefined) => readIds(content, "scroll_id"),
  deviations: [
    {
      kind: "parameter",
      name: "scroll_id",
      reason:
        "in the description it is only a part of the path; the product takes it in the query string, too",
    },
  ],

  async handle({ path, query, body }, cluster) {
    const ids = body ?? splitList(path["scroll_id"] ?? query.scroll_id ?? "");
    validate([ids.length === 0 && "no scroll ids specified"]);
    const { succeeded, freed } = await cluster.clearScroll(ids);
    return { status: freed === 0 ? 404 : 200, body: { succeeded, num_freed: freed } };
  },
});
