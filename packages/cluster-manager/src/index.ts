/** The cluster-manager role: drives Raft, finds and watches nodes, and decides what changes in the cluster state. */
export { createClusterManager } from "./cluster-manager.ts";
export type {
  ClusterManager,
  ClusterManagerDeps,
  DecommissionRequest,
  ExplainAllocationRequest,
  ManagedOperation,
  Managed,
  ManageLimits,
  ManagerRequests,
  PeerConnector,
  PendingTask,
  RerouteRequest,
  RerouteResponse,
  SubmitOptions,
  TaskPriority,
  VotingConfigurations,
} from "./types.ts";
export { describeStored, type StoredPart } from "./describe-store.ts";
export { skippedValues } from "./quarantine.ts";
export type { BeginTermService, TermService } from "./term-service.ts";
export type { ShownSnapshot } from "./snapshots/read.ts";
export type { ShardStats, ShardStatus, SnapshotStatus } from "./snapshots/status.ts";
