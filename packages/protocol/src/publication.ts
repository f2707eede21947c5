/** Publication messages: tasks for the elected cluster manager, and reports of applied states. */
export {
  ManagerRequest,
  ManagerResponse,
  ReadIndexResponse,
  ShardFailedRequest,
  ShardStartedRequest,
  StateApplied,
  StoredFile,
  StoredShardRequest,
  StoredShardResponse,
  SubmitTaskRequest,
  SubmitTaskResponse,
} from "../generated/publication.js";
