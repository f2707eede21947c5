/** Shard workers of this program as a host option: in the node's main thread, or in threads of their own. */
import type { NodeHostOptions } from "@orrery/host-node";
import { startShardWorker } from "@orrery/node";
import { blobOpeners, product } from "./product.ts";

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

export const shardWorkers: Pick<NodeHostOptions, "blobOpeners" | "shardProgram" | "threadEntry"> = {
  blobOpeners,
  shardProgram: (host) => void startShardWorker(host, product.shards),
  threadEntry: new URL(`./thread-entry.${extension}`, import.meta.url),
};
