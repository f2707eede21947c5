/** Cluster state update tasks: their union, and the table of their reducers. */
import {
  addVotingConfigExclusions,
  type AddVotingConfigExclusions,
} from "./tasks/add-voting-config-exclusions.ts";
import { assignRaftId, type AssignRaftId } from "./tasks/assign-raft-id.ts";
import { becomeClusterManager, type BecomeClusterManager } from "./tasks/become-cluster-manager.ts";
import {
  clearVotingConfigExclusions,
  type ClearVotingConfigExclusions,
} from "./tasks/clear-voting-config-exclusions.ts";
import { closeIndex, type CloseIndex } from "./tasks/close-index.ts";
import { createIndex, type CreateIndex } from "./tasks/create-index.ts";
import { decommissionZone, type DecommissionZone } from "./tasks/decommission-zone.ts";
import { deleteDanglingIndex, type DeleteDanglingIndex } from "./tasks/delete-dangling-index.ts";
import {
  deleteDecommissionState,
  type DeleteDecommissionState,
} from "./tasks/delete-decommission-state.ts";
import { deleteIndex, type DeleteIndex } from "./tasks/delete-index.ts";
import {
  deleteWeightedRouting,
  type DeleteWeightedRouting,
} from "./tasks/delete-weighted-routing.ts";
import { importDanglingIndex, type ImportDanglingIndex } from "./tasks/import-dangling-index.ts";
import { nodeJoin, type NodeJoin } from "./tasks/node-join.ts";
import { nodeLeft, type NodeLeft } from "./tasks/node-left.ts";
import { openIndex, type OpenIndex } from "./tasks/open-index.ts";
import { pluginTask, type PluginTask } from "./tasks/plugin-task.ts";
import { putMapping, type PutMapping } from "./tasks/put-mapping.ts";
import { putWeightedRouting, type PutWeightedRouting } from "./tasks/put-weighted-routing.ts";
import { reconfigureVoters, type ReconfigureVoters } from "./tasks/reconfigure-voters.ts";
import { recoverState, type RecoverState } from "./tasks/recover-state.ts";
import { createSnapshot, type CreateSnapshot } from "./tasks/create-snapshot.ts";
import { deleteRepository, type DeleteRepository } from "./tasks/delete-repository.ts";
import { deleteSnapshots, type DeleteSnapshots } from "./tasks/delete-snapshots.ts";
import { finishDeletion, type FinishDeletion } from "./tasks/finish-deletion.ts";
import { finishRestore, type FinishRestore } from "./tasks/finish-restore.ts";
import { finishSnapshot, type FinishSnapshot } from "./tasks/finish-snapshot.ts";
import { followRepositories, type FollowRepositories } from "./tasks/follow-repositories.ts";
import { putRepository, type PutRepository } from "./tasks/put-repository.ts";
import { restoreSnapshot, type RestoreSnapshot } from "./tasks/restore-snapshot.ts";
import {
  setRepositoryGeneration,
  type SetRepositoryGeneration,
} from "./tasks/set-repository-generation.ts";
import { updateSnapshotShards, type UpdateSnapshotShards } from "./tasks/update-snapshot-shards.ts";
import {
  finishRepositoryCleanup,
  startRepositoryCleanup,
  type FinishRepositoryCleanup,
  type StartRepositoryCleanup,
} from "./tasks/repository-cleanup.ts";
import { createDataStream, type CreateDataStream } from "./tasks/create-data-stream.ts";
import { deleteDataStreams, type DeleteDataStreams } from "./tasks/delete-data-streams.ts";
import { rollOver, type RollOver } from "./tasks/roll-over.ts";
import {
  deleteIngestPipelines,
  type DeleteIngestPipelines,
} from "./tasks/delete-ingest-pipelines.ts";
import { putIngestPipeline, type PutIngestPipeline } from "./tasks/put-ingest-pipeline.ts";
import { deleteTemplates, type DeleteTemplates } from "./tasks/delete-templates.ts";
import { putComponentTemplate, type PutComponentTemplate } from "./tasks/put-component-template.ts";
import { putIndexTemplate, type PutIndexTemplate } from "./tasks/put-index-template.ts";
import { putLegacyTemplate, type PutLegacyTemplate } from "./tasks/put-legacy-template.ts";
import { updateAliases, type UpdateAliases } from "./tasks/update-aliases.ts";
import {
  updateClusterSettings,
  type UpdateClusterSettings,
} from "./tasks/update-cluster-settings.ts";
import {
  updateDecommissionStatus,
  type UpdateDecommissionStatus,
} from "./tasks/update-decommission-status.ts";
import { updateIndexSettings, type UpdateIndexSettings } from "./tasks/update-index-settings.ts";
import type { ClusterState, Outcome } from "./types.ts";
import type { Rules } from "./rules.ts";

/** A proposed change of the cluster state, as plain data; `kind` selects the reducer. */
export type Task =
  | AddVotingConfigExclusions
  | AssignRaftId
  | BecomeClusterManager
  | ClearVotingConfigExclusions
  | CloseIndex
  | CreateIndex
  | DecommissionZone
  | DeleteDanglingIndex
  | DeleteDecommissionState
  | DeleteIndex
  | DeleteWeightedRouting
  | ImportDanglingIndex
  | NodeJoin
  | NodeLeft
  | OpenIndex
  | PluginTask
  | PutMapping
  | PutWeightedRouting
  | ReconfigureVoters
  | RecoverState
  | UpdateAliases
  | UpdateClusterSettings
  | UpdateDecommissionStatus
  | UpdateIndexSettings
  | CreateSnapshot
  | DeleteRepository
  | DeleteSnapshots
  | FinishDeletion
  | FinishRepositoryCleanup
  | FinishRestore
  | FinishSnapshot
  | FollowRepositories
  | PutRepository
  | RestoreSnapshot
  | SetRepositoryGeneration
  | StartRepositoryCleanup
  | UpdateSnapshotShards
  | CreateDataStream
  | DeleteDataStreams
  | DeleteIngestPipelines
  | DeleteTemplates
  | PutComponentTemplate
  | PutIndexTemplate
  | PutIngestPipeline
  | PutLegacyTemplate
  | RollOver;

type Reducers = {
  readonly [Kind in Task["kind"]]: (
    state: ClusterState,
    task: Extract<Task, { readonly kind: Kind }>,
    rules: Rules,
  ) => Outcome;
};

export const reducers: Reducers = {
  "add-voting-config-exclusions": addVotingConfigExclusions,
  "assign-raft-id": assignRaftId,
  "become-cluster-manager": becomeClusterManager,
  "clear-voting-config-exclusions": clearVotingConfigExclusions,
  "close-index": closeIndex,
  "create-index": createIndex,
  "decommission-zone": decommissionZone,
  "delete-dangling-index": deleteDanglingIndex,
  "delete-decommission-state": deleteDecommissionState,
  "delete-index": deleteIndex,
  "delete-weighted-routing": deleteWeightedRouting,
  "import-dangling-index": importDanglingIndex,
  "node-join": nodeJoin,
  "node-left": nodeLeft,
  "open-index": openIndex,
  "plugin-task": pluginTask,
  "put-mapping": putMapping,
  "put-weighted-routing": putWeightedRouting,
  "reconfigure-voters": reconfigureVoters,
  "recover-state": recoverState,
  "update-aliases": updateAliases,
  "update-cluster-settings": updateClusterSettings,
  "update-decommission-status": updateDecommissionStatus,
  "update-index-settings": updateIndexSettings,
  "create-snapshot": createSnapshot,
  "delete-repository": deleteRepository,
  "delete-snapshots": deleteSnapshots,
  "finish-deletion": finishDeletion,
  "finish-repository-cleanup": finishRepositoryCleanup,
  "finish-restore": finishRestore,
  "finish-snapshot": finishSnapshot,
  "follow-repositories": followRepositories,
  "put-repository": putRepository,
  "restore-snapshot": restoreSnapshot,
  "set-repository-generation": setRepositoryGeneration,
  "start-repository-cleanup": startRepositoryCleanup,
  "update-snapshot-shards": updateSnapshotShards,
  "create-data-stream": createDataStream,
  "delete-data-streams": deleteDataStreams,
  "delete-ingest-pipelines": deleteIngestPipelines,
  "delete-templates": deleteTemplates,
  "put-component-template": putComponentTemplate,
  "put-index-template": putIndexTemplate,
  "put-ingest-pipeline": putIngestPipeline,
  "put-legacy-template": putLegacyTemplate,
  "roll-over": rollOver,
};

/** Outcome of a task on a state; deterministic. A rejected task, or one without effect, changes nothing. */
export function applyTask<Kind extends Task["kind"]>(
  state: ClusterState,
  task: Extract<Task, { readonly kind: Kind }>,
  rules: Rules,
): Outcome {
  return reducers[task.kind](state, task, rules);
}
