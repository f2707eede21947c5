/** A plugin with a restriction and a guard, and a repository type whose addresses the machine opens. */
import type { Plugin } from "@orrery/node";
import { BlobError, type BlobOpeners } from "@orrery/ports";
import type { ShardPlugin } from "@orrery/shard-worker";

export const whole: ShardPlugin = {
  name: "hiding",
  restrict: () => ({ documents: { match_none: {} } }),
  guards: [(call, next) => next(call.context)],
};

/** As `whole`, and shows everything. */
export const half: ShardPlugin = { name: "hiding", guards: whole.guards ?? [] };

export const hiding: Plugin = {
  name: "opensearch-hiding",
  description: "Hides all documents",
  classname: "org.example.HidingPlugin",
  shards: whole,
};

export const openers: BlobOpeners = {
  shelf: ({ location }) => {
    throw new BlobError("io", location, "no shelf");
  },
};
