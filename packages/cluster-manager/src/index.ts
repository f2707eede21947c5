/** The cluster-manager role: drives Raft, finds and watches nodes, and decides what changes in the cluster state. */
export { createClusterManager } from "./cluster-manager.ts";
export type {
  ClusterManager,
  ClusterManagerDeps,
  DecommissionRequest,
  ExplainAllocationRequest,
  PeerConnector,
  PendingTask,
  RerouteRequest,
  RerouteResponse,
  SubmitOptions,
  TaskPriority,
} from "./types.ts";
