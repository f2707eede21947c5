/** The half of cross-cluster replication that threads of shard workers load. */
export { shardPlugin as crossClusterReplicationOnShards } from "./shard/plugin.ts";
