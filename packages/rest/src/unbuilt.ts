/**
 * Routes of the product's core that no operation here serves: a request for one is told so, instead of being taken for a
 * request about an index named `_tasks`. Operations of the product's plugins are not among them: a product without the
 * plugin does not know them either.
 */
import type { Route } from "./operation.ts";

export interface UnbuiltOperation {
  /** The official `x-operation-group`; of routes that the API specification lacks, the name of their handler. */
  readonly group: string;
  readonly routes: readonly Route[];
}

/** The routes, without those that the table of operations has (`test/openapi.test.ts`). */
export const unbuiltOperations: readonly UnbuiltOperation[] = [
  {
    group: "bulk_stream",
    routes: [
      "POST /_bulk/stream",
      "POST /{index}/_bulk/stream",
      "PUT /_bulk/stream",
      "PUT /{index}/_bulk/stream",
    ],
  },
  { group: "cat.fielddata", routes: ["GET /_cat/fielddata", "GET /_cat/fielddata/{fields}"] },
  { group: "cat.tasks", routes: ["GET /_cat/tasks"] },
  {
    group: "cat.thread_pool",
    routes: ["GET /_cat/thread_pool", "GET /_cat/thread_pool/{thread_pool_patterns}"],
  },
  { group: "delete_by_query", routes: ["POST /{index}/_delete_by_query"] },
  { group: "delete_by_query_rethrottle", routes: ["POST /_delete_by_query/{task_id}/_rethrottle"] },
  { group: "delete_script", routes: ["DELETE /_scripts/{id}"] },
  { group: "explain", routes: ["GET /{index}/_explain/{id}", "POST /{index}/_explain/{id}"] },
  {
    group: "field_caps",
    routes: [
      "GET /_field_caps",
      "GET /{index}/_field_caps",
      "POST /_field_caps",
      "POST /{index}/_field_caps",
    ],
  },
  { group: "get_script", routes: ["GET /_scripts/{id}"] },
  {
    group: "indices.analyze",
    routes: ["GET /_analyze", "GET /{index}/_analyze", "POST /_analyze", "POST /{index}/_analyze"],
  },
  {
    group: "indices.clone",
    routes: ["POST /{index}/_clone/{target}", "PUT /{index}/_clone/{target}"],
  },
  { group: "indices.get_upgrade", routes: ["GET /_upgrade", "GET /{index}/_upgrade"] },
  { group: "indices.scale", routes: ["POST /{index}/_scale", "PUT /{index}/_scale"] },
  {
    group: "indices.shrink",
    routes: ["POST /{index}/_shrink/{target}", "PUT /{index}/_shrink/{target}"],
  },
  {
    group: "indices.split",
    routes: ["POST /{index}/_split/{target}", "PUT /{index}/_split/{target}"],
  },
  { group: "indices.upgrade", routes: ["POST /_upgrade", "POST /{index}/_upgrade"] },
  {
    group: "indices.validate_query",
    routes: [
      "GET /_validate/query",
      "GET /{index}/_validate/query",
      "POST /_validate/query",
      "POST /{index}/_validate/query",
    ],
  },
  { group: "ingest.processor_grok", routes: ["GET /_ingest/processor/grok"] },
  { group: "ingestion.get_state", routes: ["GET /{index}/ingestion/_state"] },
  { group: "ingestion.pause", routes: ["POST /{index}/ingestion/_pause"] },
  { group: "ingestion.resume", routes: ["POST /{index}/ingestion/_resume"] },
  { group: "list.help", routes: ["GET /_list"] },
  { group: "list.indices", routes: ["GET /_list/indices", "GET /_list/indices/{index}"] },
  { group: "list.shards", routes: ["GET /_list/shards", "GET /_list/shards/{index}"] },
  {
    group: "msearch_template",
    routes: [
      "GET /_msearch/template",
      "GET /{index}/_msearch/template",
      "POST /_msearch/template",
      "POST /{index}/_msearch/template",
    ],
  },
  {
    group: "mtermvectors",
    routes: [
      "GET /_mtermvectors",
      "GET /{index}/_mtermvectors",
      "POST /_mtermvectors",
      "POST /{index}/_mtermvectors",
    ],
  },
  {
    group: "nodes.hot_threads",
    routes: [
      "GET /_cluster/nodes/hot_threads",
      "GET /_cluster/nodes/hotthreads",
      "GET /_cluster/nodes/{node_id}/hot_threads",
      "GET /_cluster/nodes/{node_id}/hotthreads",
      "GET /_nodes/hot_threads",
      "GET /_nodes/hotthreads",
      "GET /_nodes/{node_id}/hot_threads",
      "GET /_nodes/{node_id}/hotthreads",
    ],
  },
  {
    group: "nodes.reload_secure_settings",
    routes: [
      "POST /_nodes/reload_secure_settings",
      "POST /_nodes/{node_id}/reload_secure_settings",
    ],
  },
  {
    group: "nodes.usage",
    routes: [
      "GET /_nodes/usage",
      "GET /_nodes/usage/{metric}",
      "GET /_nodes/{node_id}/usage",
      "GET /_nodes/{node_id}/usage/{metric}",
    ],
  },
  {
    group: "put_script",
    routes: [
      "POST /_scripts/{id}",
      "POST /_scripts/{id}/{context}",
      "PUT /_scripts/{id}",
      "PUT /_scripts/{id}/{context}",
    ],
  },
  {
    group: "rank_eval",
    routes: [
      "GET /_rank_eval",
      "GET /{index}/_rank_eval",
      "POST /_rank_eval",
      "POST /{index}/_rank_eval",
    ],
  },
  { group: "reindex", routes: ["POST /_reindex"] },
  { group: "reindex_rethrottle", routes: ["POST /_reindex/{task_id}/_rethrottle"] },
  { group: "remote_store.restore", routes: ["POST /_remotestore/_restore"] },
  {
    group: "remote_store.stats",
    routes: ["GET /_remotestore/stats/{index}", "GET /_remotestore/stats/{index}/{shard_id}"],
  },
  {
    group: "render_search_template",
    routes: [
      "GET /_render/template",
      "GET /_render/template/{id}",
      "POST /_render/template",
      "POST /_render/template/{id}",
    ],
  },
  {
    group: "scripts_painless_execute",
    routes: ["GET /_scripts/painless/_execute", "POST /_scripts/painless/_execute"],
  },
  { group: "search_pipeline.delete", routes: ["DELETE /_search/pipeline/{id}"] },
  { group: "search_pipeline.get", routes: ["GET /_search/pipeline", "GET /_search/pipeline/{id}"] },
  { group: "search_pipeline.put", routes: ["PUT /_search/pipeline/{id}"] },
  {
    group: "search_shards",
    routes: [
      "GET /_search_shards",
      "GET /{index}/_search_shards",
      "POST /_search_shards",
      "POST /{index}/_search_shards",
    ],
  },
  {
    group: "search_template",
    routes: [
      "GET /_search/template",
      "GET /{index}/_search/template",
      "POST /_search/template",
      "POST /{index}/_search/template",
    ],
  },
  { group: "tasks.cancel", routes: ["POST /_tasks/_cancel", "POST /_tasks/{task_id}/_cancel"] },
  { group: "tasks.get", routes: ["GET /_tasks/{task_id}"] },
  { group: "tasks.list", routes: ["GET /_tasks"] },
  {
    group: "termvectors",
    routes: [
      "GET /{index}/_termvectors",
      "GET /{index}/_termvectors/{id}",
      "POST /{index}/_termvectors",
      "POST /{index}/_termvectors/{id}",
    ],
  },
  { group: "update_by_query", routes: ["POST /{index}/_update_by_query"] },
  { group: "update_by_query_rethrottle", routes: ["POST /_update_by_query/{task_id}/_rethrottle"] },
  { group: "wlm.create_query_group", routes: ["PUT /_wlm/query_group"] },
  { group: "wlm.delete_query_group", routes: ["DELETE /_wlm/query_group/{name}"] },
  {
    group: "wlm.get_query_group",
    routes: ["GET /_wlm/query_group", "GET /_wlm/query_group/{name}"],
  },
  {
    group: "wlm.stats",
    routes: [
      "GET /_wlm/stats",
      "GET /_wlm/stats/{workload_group_id}",
      "GET /_wlm/{node_id}/stats",
      "GET /_wlm/{node_id}/stats/{workload_group_id}",
    ],
  },
  { group: "wlm.update_query_group", routes: ["PUT /_wlm/query_group/{name}"] },
  { group: "wlm_stats_list", routes: ["GET /_list/wlm_stats"] },
];
