/** Messages between follower and leader cluster, and among the follower's nodes. */
export {
  ChangesRequest,
  ChangesResponse,
  CloseFilesRequest,
  LeaseRequest,
  OpenFilesRequest,
  OpenFilesResponse,
  ReadFileRequest,
  ReadFileResponse,
  RemoteShardRequest,
  RemoteRequest,
  ReplayRequest,
  ReplayResponse,
} from "../generated/cross-cluster.js";
