/** The plugin's half that threads of shard workers load. */
export { shardPlugin as crossClusterReplicationOnShards } from "./shard/plugin.ts";
