/** What nodes of a cluster that follows ask of the other cluster, and pass on among themselves. */
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
