/** Program of a shard worker's thread: it loads the shard parts of plugins, and no other part of the program. */
import type { BlobOpeners, WorkerHost } from "@orrery/ports";
import { composeShards, startShardWorker } from "@orrery/shard-worker";
import { loadBlobOpeners, plugins } from "./plugins.ts";

const listed = await Promise.all(plugins.map(async ({ shards }) => shards?.()));
const shards = composeShards(listed.filter((plugin) => plugin !== undefined));

export const blobOpeners: BlobOpeners = await loadBlobOpeners();

/** Runs the shard worker of this thread with the shard parts of all plugins. */
export function threadProgram(host: WorkerHost): void {
  startShardWorker(host, shards);
}
