/**
 * All operations of the core, by official group. Routing, unknown parameters, 405 responses and the comparison with
 * the API specification read this table.
 */
import type { Operation } from "../operation.ts";
import { bulk } from "./bulk/operation.ts";
import { catAliases } from "./cat.aliases/operation.ts";
import { catAllPitSegments } from "./cat.all_pit_segments/operation.ts";
import { catAllocation } from "./cat.allocation/operation.ts";
import { catClusterManager } from "./cat.cluster_manager/operation.ts";
import { catCount } from "./cat.count/operation.ts";
import { catHealth } from "./cat.health/operation.ts";
import { catHelp } from "./cat.help/operation.ts";
import { catIndices } from "./cat.indices/operation.ts";
import { catNodeattrs } from "./cat.nodeattrs/operation.ts";
import { catNodes } from "./cat.nodes/operation.ts";
import { catPendingTasks } from "./cat.pending_tasks/operation.ts";
import { catPitSegments } from "./cat.pit_segments/operation.ts";
import { catPlugins } from "./cat.plugins/operation.ts";
import { catRecovery } from "./cat.recovery/operation.ts";
import { catRepositories } from "./cat.repositories/operation.ts";
import { catSegmentReplication } from "./cat.segment_replication/operation.ts";
import { catSegments } from "./cat.segments/operation.ts";
import { catShards } from "./cat.shards/operation.ts";
import { catSnapshots } from "./cat.snapshots/operation.ts";
import { catTemplates } from "./cat.templates/operation.ts";
import { clearScroll } from "./clear_scroll/operation.ts";
import { clusterAllocationExplain } from "./cluster.allocation_explain/operation.ts";
import { clusterDeleteComponentTemplate } from "./cluster.delete_component_template/operation.ts";
import { clusterDeleteDecommissionAwareness } from "./cluster.delete_decommission_awareness/operation.ts";
import { clusterDeleteVotingConfigExclusions } from "./cluster.delete_voting_config_exclusions/operation.ts";
import { clusterDeleteWeightedRouting } from "./cluster.delete_weighted_routing/operation.ts";
import { clusterExistsComponentTemplate } from "./cluster.exists_component_template/operation.ts";
import { clusterGetComponentTemplate } from "./cluster.get_component_template/operation.ts";
import { clusterGetDecommissionAwareness } from "./cluster.get_decommission_awareness/operation.ts";
import { clusterGetSettings } from "./cluster.get_settings/operation.ts";
import { clusterGetWeightedRouting } from "./cluster.get_weighted_routing/operation.ts";
import { clusterHealthOperation } from "./cluster.health/operation.ts";
import { clusterPendingTasks } from "./cluster.pending_tasks/operation.ts";
import { clusterPostVotingConfigExclusions } from "./cluster.post_voting_config_exclusions/operation.ts";
import { clusterPutComponentTemplate } from "./cluster.put_component_template/operation.ts";
import { clusterPutDecommissionAwareness } from "./cluster.put_decommission_awareness/operation.ts";
import { clusterPutSettings } from "./cluster.put_settings/operation.ts";
import { clusterPutWeightedRouting } from "./cluster.put_weighted_routing/operation.ts";
import { clusterRemoteInfo } from "./cluster.remote_info/operation.ts";
import { clusterReroute } from "./cluster.reroute/operation.ts";
import { clusterState } from "./cluster.state/operation.ts";
import { clusterStats } from "./cluster.stats/operation.ts";
import { count } from "./count/operation.ts";
import { createPit } from "./create_pit/operation.ts";
import { create } from "./create/operation.ts";
import { danglingIndicesList } from "./dangling_indices.list_dangling_indices/operation.ts";
import { danglingIndicesImport } from "./dangling_indices.import_dangling_index/operation.ts";
import { danglingIndicesDelete } from "./dangling_indices.delete_dangling_index/operation.ts";
import { deleteAllPits } from "./delete_all_pits/operation.ts";
import { deletePit } from "./delete_pit/operation.ts";
import { deleteDocument } from "./delete/operation.ts";
import { exists } from "./exists/operation.ts";
import { existsSource } from "./exists_source/operation.ts";
import { get } from "./get/operation.ts";
import { getAllPits } from "./get_all_pits/operation.ts";
import { getScriptContext } from "./get_script_context/operation.ts";
import { getScriptLanguages } from "./get_script_languages/operation.ts";
import { getSource } from "./get_source/operation.ts";
import { index } from "./index/operation.ts";
import { indicesAddBlock } from "./indices.add_block/operation.ts";
import { indicesClearCache } from "./indices.clear_cache/operation.ts";
import { indicesClose } from "./indices.close/operation.ts";
import { indicesCreate } from "./indices.create/operation.ts";
import { indicesCreateDataStream } from "./indices.create_data_stream/operation.ts";
import { indicesDataStreamsStats } from "./indices.data_streams_stats/operation.ts";
import { indicesDelete } from "./indices.delete/operation.ts";
import { indicesDeleteAlias } from "./indices.delete_alias/operation.ts";
import { indicesDeleteDataStream } from "./indices.delete_data_stream/operation.ts";
import { indicesDeleteIndexTemplate } from "./indices.delete_index_template/operation.ts";
import { indicesDeleteTemplate } from "./indices.delete_template/operation.ts";
import { indicesExists } from "./indices.exists/operation.ts";
import { indicesExistsAlias } from "./indices.exists_alias/operation.ts";
import { indicesExistsIndexTemplate } from "./indices.exists_index_template/operation.ts";
import { indicesExistsTemplate } from "./indices.exists_template/operation.ts";
import { indicesFlush } from "./indices.flush/operation.ts";
import { indicesForcemerge } from "./indices.forcemerge/operation.ts";
import { indicesGet } from "./indices.get/operation.ts";
import { indicesGetAlias } from "./indices.get_alias/operation.ts";
import { indicesGetDataStream } from "./indices.get_data_stream/operation.ts";
import { indicesGetFieldMapping } from "./indices.get_field_mapping/operation.ts";
import { indicesGetIndexTemplate } from "./indices.get_index_template/operation.ts";
import { indicesGetMapping } from "./indices.get_mapping/operation.ts";
import { indicesGetSettings } from "./indices.get_settings/operation.ts";
import { indicesGetTemplate } from "./indices.get_template/operation.ts";
import { indicesOpen } from "./indices.open/operation.ts";
import { indicesPutAlias } from "./indices.put_alias/operation.ts";
import { indicesPutIndexTemplate } from "./indices.put_index_template/operation.ts";
import { indicesPutMapping } from "./indices.put_mapping/operation.ts";
import { indicesPutSettings } from "./indices.put_settings/operation.ts";
import { indicesPutTemplate } from "./indices.put_template/operation.ts";
import { indicesRecovery } from "./indices.recovery/operation.ts";
import { indicesRefresh } from "./indices.refresh/operation.ts";
import { indicesResolveIndex } from "./indices.resolve_index/operation.ts";
import { indicesRollover } from "./indices.rollover/operation.ts";
import { indicesSegments } from "./indices.segments/operation.ts";
import { indicesShardStores } from "./indices.shard_stores/operation.ts";
import { indicesSimulateIndexTemplate } from "./indices.simulate_index_template/operation.ts";
import { indicesSimulateTemplate } from "./indices.simulate_template/operation.ts";
import { indicesStats } from "./indices.stats/operation.ts";
import { indicesUpdateAliases } from "./indices.update_aliases/operation.ts";
import { ingestDeletePipeline } from "./ingest.delete_pipeline/operation.ts";
import { ingestGetPipeline } from "./ingest.get_pipeline/operation.ts";
import { ingestPutPipeline } from "./ingest.put_pipeline/operation.ts";
import { ingestSimulate } from "./ingest.simulate/operation.ts";
import { info } from "./info/operation.ts";
import { mget } from "./mget/operation.ts";
import { msearch } from "./msearch/operation.ts";
import { nodesInfo } from "./nodes.info/operation.ts";
import { nodesStats } from "./nodes.stats/operation.ts";
import { scroll } from "./scroll/operation.ts";
import { search } from "./search/operation.ts";
import { snapshotCleanupRepository } from "./snapshot.cleanup_repository/operation.ts";
import { snapshotClone } from "./snapshot.clone/operation.ts";
import { snapshotCreate } from "./snapshot.create/operation.ts";
import { snapshotCreateRepository } from "./snapshot.create_repository/operation.ts";
import { snapshotDelete } from "./snapshot.delete/operation.ts";
import { snapshotDeleteRepository } from "./snapshot.delete_repository/operation.ts";
import { snapshotGet } from "./snapshot.get/operation.ts";
import { snapshotGetRepository } from "./snapshot.get_repository/operation.ts";
import { snapshotRestore } from "./snapshot.restore/operation.ts";
import { snapshotStatus } from "./snapshot.status/operation.ts";
import { snapshotVerifyRepository } from "./snapshot.verify_repository/operation.ts";
import { update } from "./update/operation.ts";

/** All operations of the core, ordered by group. */
export const operations: readonly Operation[] = [
  bulk,
  catAliases,
  catAllPitSegments,
  catAllocation,
  catClusterManager,
  catCount,
  catHealth,
  catHelp,
  catIndices,
  catNodeattrs,
  catNodes,
  catPendingTasks,
  catPitSegments,
  catPlugins,
  catRecovery,
  catRepositories,
  catSegmentReplication,
  catSegments,
  catShards,
  catSnapshots,
  catTemplates,
  clearScroll,
  clusterAllocationExplain,
  clusterDeleteComponentTemplate,
  clusterDeleteDecommissionAwareness,
  clusterDeleteVotingConfigExclusions,
  clusterDeleteWeightedRouting,
  clusterExistsComponentTemplate,
  clusterGetComponentTemplate,
  clusterGetDecommissionAwareness,
  clusterGetSettings,
  clusterGetWeightedRouting,
  clusterHealthOperation,
  clusterPendingTasks,
  clusterPostVotingConfigExclusions,
  clusterPutComponentTemplate,
  clusterPutDecommissionAwareness,
  clusterPutSettings,
  clusterPutWeightedRouting,
  clusterRemoteInfo,
  clusterReroute,
  clusterState,
  clusterStats,
  count,
  createPit,
  create,
  danglingIndicesList,
  danglingIndicesImport,
  danglingIndicesDelete,
  deleteAllPits,
  deletePit,
  deleteDocument,
  exists,
  existsSource,
  get,
  getAllPits,
  getScriptContext,
  getScriptLanguages,
  getSource,
  index,
  indicesAddBlock,
  indicesClearCache,
  indicesClose,
  indicesCreate,
  indicesCreateDataStream,
  indicesDataStreamsStats,
  indicesDelete,
  indicesDeleteAlias,
  indicesDeleteDataStream,
  indicesDeleteIndexTemplate,
  indicesDeleteTemplate,
  indicesExists,
  indicesExistsAlias,
  indicesExistsIndexTemplate,
  indicesExistsTemplate,
  indicesFlush,
  indicesForcemerge,
  indicesGet,
  indicesGetAlias,
  indicesGetDataStream,
  indicesGetFieldMapping,
  indicesGetIndexTemplate,
  indicesGetMapping,
  indicesGetSettings,
  indicesGetTemplate,
  indicesOpen,
  indicesPutAlias,
  indicesPutIndexTemplate,
  indicesPutMapping,
  indicesPutSettings,
  indicesPutTemplate,
  indicesRecovery,
  indicesRefresh,
  indicesResolveIndex,
  indicesRollover,
  indicesSegments,
  indicesShardStores,
  indicesSimulateIndexTemplate,
  indicesSimulateTemplate,
  indicesStats,
  indicesUpdateAliases,
  info,
  ingestDeletePipeline,
  ingestGetPipeline,
  ingestPutPipeline,
  ingestSimulate,
  mget,
  msearch,
  nodesInfo,
  nodesStats,
  scroll,
  search,
  snapshotCleanupRepository,
  snapshotClone,
  snapshotCreate,
  snapshotCreateRepository,
  snapshotDelete,
  snapshotDeleteRepository,
  snapshotGet,
  snapshotGetRepository,
  snapshotRestore,
  snapshotStatus,
  snapshotVerifyRepository,
  update,
];
