/** `indices.segments`: segments of every shard copy. */
import type { ShardAnswers } from "@orrery/node";
import { broadcastRequest } from "../../broadcast.ts";
import { shardCounts } from "../../documents/write-answer.ts";
import type { Printable, PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets } from "../../parameters.ts";
import { humanized } from "../../stats/human.ts";

export const indicesSegments: Operation = defineOperation({
  group: "indices.segments",
  permission: "indices:monitor/segments",
  routes: ["GET /_segments", "GET /{index}/_segments"],
  query: { ...indexTargets, verbose: flag(false) },
  deviations: [
    {
      kind: "behaviour",
      name: "verbose",
      reason:
        "memory is not listed by kind of file; the product does not either since Lucene keeps it off heap",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const answers = await cluster.shardSegments(broadcastRequest(path["index"], query));
    const names = [...new Set(answers.answers.map(({ index }) => index))].toSorted();
    const indices = names.map((name) => {
      const copies = answers.answers.filter(({ index }) => index === name);
      return [name, { shards: shardsBody(copies) }];
    });
    const shown = Object.fromEntries(indices) as PrintableObject;
    return {
      body: {
        _shards: shardCounts(answers.shards),
        indices: request.isHuman ? humanized(shown) : shown,
      },
    };
  },
});

function shardsBody(copies: ShardAnswers["answers"]): PrintableObject {
  const shards = new Map<string, Printable[]>();
  for (const copy of copies.toSorted(
    (a, b) => a.shard - b.shard || Number(b.primary) - Number(a.primary),
  )) {
    const { body } = copy;
    const shard = shards.get(String(copy.shard)) ?? [];
    shards.set(String(copy.shard), shard);
    shard.push({
      routing: {
        state: copy.state,
        primary: copy.primary,
        node: copy.nodeId,
        relocating_node: copy.relocatingNodeId,
      },
      num_committed_segments: Number(body["num_committed_segments"] ?? 0),
      num_search_segments: Number(body["num_search_segments"] ?? 0),
      segments: (body["segments"] ?? {}) as PrintableObject,
    });
  }
  return Object.fromEntries(shards);
}
