/** Allocation of shard copies to nodes: deciders, balancer, reroute commands, explanation. Pure. */
export { executeCommands, parseCommands } from "./commands/execute.ts";
export { explain } from "./explain.ts";
export { replacedNodes, shardKey, shardSizeKey } from "./keys.ts";
export { reroute } from "./reroute.ts";
export type {
  AllocationInputs,
  ClusterInfo,
  CommandsOptions,
  CommandsResult,
  Decision,
  DecisionType,
  DiskUsage,
  ExplainOptions,
  ExplainRequest,
  FailedShard,
  RerouteCommand,
  RerouteResult,
  ShardStores,
  StaleCopy,
  StoreFetch,
  StoredCopy,
  StoredFile,
} from "./types.ts";
