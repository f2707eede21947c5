/**
 * The permission of every operation is the product's name of the transport action behind it, and every permission is a name that the
 * product's classes have.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coreProduct } from "@orrery/node";
import { expect, test } from "vitest";
import { operations } from "../src/operations/table.ts";

/** By the official group. Source: `ActionModule`'s action types, and the handlers of `org.opensearch.rest.action`. */
const ofProduct: Readonly<Record<string, string>> = {
  bulk: "indices:data/write/bulk",
  "cat.aliases": "indices:admin/aliases/get",
  "cat.all_pit_segments": "indices:monitor/point_in_time/segments",
  "cat.allocation": "cluster:monitor/nodes/stats",
  "cat.cluster_manager": "cluster:monitor/state",
  "cat.count": "indices:data/read/search",
  "cat.health": "cluster:monitor/health",
  "cat.help": "none",
  "cat.indices": "indices:monitor/stats",
  "cat.nodeattrs": "cluster:monitor/nodes/info",
  "cat.nodes": "cluster:monitor/nodes/stats",
  "cat.pending_tasks": "cluster:monitor/task",
  "cat.pit_segments": "indices:monitor/point_in_time/segments",
  "cat.plugins": "cluster:monitor/nodes/info",
  "cat.recovery": "indices:monitor/recovery",
  "cat.repositories": "cluster:admin/repository/get",
  "cat.segment_replication": "indices:monitor/segment_replication",
  "cat.segments": "indices:monitor/segments",
  "cat.shards": "cluster:monitor/shards",
  "cat.snapshots": "cluster:admin/snapshot/get",
  "cat.templates": "cluster:monitor/state",
  clear_scroll: "indices:data/read/scroll/clear",
  "cluster.allocation_explain": "cluster:monitor/allocation/explain",
  "cluster.delete_component_template": "cluster:admin/component_template/delete",
  "cluster.delete_decommission_awareness": "cluster:admin/decommission/awareness/delete",
  "cluster.delete_voting_config_exclusions": "cluster:admin/voting_config/clear_exclusions",
  "cluster.delete_weighted_routing": "cluster:admin/routing/awareness/weights/delete",
  "cluster.exists_component_template": "cluster:admin/component_template/get",
  "cluster.get_component_template": "cluster:admin/component_template/get",
  "cluster.get_decommission_awareness": "cluster:admin/decommission/awareness/get",
  "cluster.get_settings": "cluster:monitor/state",
  "cluster.get_weighted_routing": "cluster:admin/routing/awareness/weights/get",
  "cluster.health": "cluster:monitor/health",
  "cluster.pending_tasks": "cluster:monitor/task",
  "cluster.post_voting_config_exclusions": "cluster:admin/voting_config/add_exclusions",
  "cluster.put_component_template": "cluster:admin/component_template/put",
  "cluster.put_decommission_awareness": "cluster:admin/decommission/awareness/put",
  "cluster.put_settings": "cluster:admin/settings/update",
  "cluster.put_weighted_routing": "cluster:admin/routing/awareness/weights/put",
  "cluster.remote_info": "cluster:monitor/remote/info",
  "cluster.reroute": "cluster:admin/reroute",
  "cluster.state": "cluster:monitor/state",
  "cluster.stats": "cluster:monitor/stats",
  count: "indices:data/read/search",
  create: "indices:data/write/index",
  create_pit: "indices:data/read/point_in_time/create",
  "dangling_indices.delete_dangling_index": "cluster:admin/indices/dangling/delete",
  "dangling_indices.import_dangling_index": "cluster:admin/indices/dangling/import",
  "dangling_indices.list_dangling_indices": "cluster:admin/indices/dangling/list",
  delete: "indices:data/write/delete",
  delete_all_pits: "indices:data/read/point_in_time/delete",
  delete_pit: "indices:data/read/point_in_time/delete",
  exists: "indices:data/read/get",
  exists_source: "indices:data/read/get",
  get: "indices:data/read/get",
  get_all_pits: "indices:data/read/point_in_time/readall",
  get_script_context: "cluster:admin/script_context/get",
  get_script_languages: "cluster:admin/script_language/get",
  get_source: "indices:data/read/get",
  index: "indices:data/write/index",
  "ingest.delete_pipeline": "cluster:admin/ingest/pipeline/delete",
  "ingest.get_pipeline": "cluster:admin/ingest/pipeline/get",
  "ingest.put_pipeline": "cluster:admin/ingest/pipeline/put",
  "ingest.simulate": "cluster:admin/ingest/pipeline/simulate",
  "indices.add_block": "indices:admin/block/add",
  "indices.clear_cache": "indices:admin/cache/clear",
  "indices.close": "indices:admin/close",
  "indices.create": "indices:admin/create",
  "indices.create_data_stream": "indices:admin/data_stream/create",
  "indices.data_streams_stats": "indices:monitor/data_stream/stats",
  "indices.delete": "indices:admin/delete",
  "indices.delete_alias": "indices:admin/aliases",
  "indices.delete_data_stream": "indices:admin/data_stream/delete",
  "indices.delete_index_template": "indices:admin/index_template/delete",
  "indices.delete_template": "indices:admin/template/delete",
  "indices.exists": "indices:admin/get",
  "indices.exists_alias": "indices:admin/aliases/get",
  "indices.exists_index_template": "indices:admin/index_template/get",
  "indices.exists_template": "indices:admin/template/get",
  "indices.flush": "indices:admin/flush",
  "indices.forcemerge": "indices:admin/forcemerge",
  "indices.get": "indices:admin/get",
  "indices.get_alias": "indices:admin/aliases/get",
  "indices.get_data_stream": "indices:admin/data_stream/get",
  "indices.get_field_mapping": "indices:admin/mappings/fields/get",
  "indices.get_index_template": "indices:admin/index_template/get",
  "indices.get_mapping": "indices:admin/mappings/get",
  "indices.get_settings": "indices:monitor/settings/get",
  "indices.get_template": "indices:admin/template/get",
  "indices.open": "indices:admin/open",
  "indices.put_alias": "indices:admin/aliases",
  "indices.put_index_template": "indices:admin/index_template/put",
  "indices.put_mapping": "indices:admin/mapping/put",
  "indices.put_settings": "indices:admin/settings/update",
  "indices.put_template": "indices:admin/template/put",
  "indices.recovery": "indices:monitor/recovery",
  "indices.refresh": "indices:admin/refresh",
  "indices.resolve_index": "indices:admin/resolve/index",
  "indices.rollover": "indices:admin/rollover",
  "indices.segments": "indices:monitor/segments",
  "indices.shard_stores": "indices:monitor/shard_stores",
  "indices.simulate_index_template": "indices:admin/index_template/simulate_index",
  "indices.simulate_template": "indices:admin/index_template/simulate",
  "indices.stats": "indices:monitor/stats",
  "indices.update_aliases": "indices:admin/aliases",
  info: "cluster:monitor/main",
  mget: "indices:data/read/mget",
  msearch: "indices:data/read/msearch",
  "nodes.info": "cluster:monitor/nodes/info",
  "nodes.stats": "cluster:monitor/nodes/stats",
  scroll: "indices:data/read/scroll",
  search: "indices:data/read/search",
  "snapshot.cleanup_repository": "cluster:admin/repository/_cleanup",
  "snapshot.clone": "cluster:admin/snapshot/clone",
  "snapshot.create": "cluster:admin/snapshot/create",
  "snapshot.create_repository": "cluster:admin/repository/put",
  "snapshot.delete": "cluster:admin/snapshot/delete",
  "snapshot.delete_repository": "cluster:admin/repository/delete",
  "snapshot.get": "cluster:admin/snapshot/get",
  "snapshot.get_repository": "cluster:admin/repository/get",
  "snapshot.restore": "cluster:admin/snapshot/restore",
  "snapshot.status": "cluster:admin/snapshot/status",
  "snapshot.verify_repository": "cluster:admin/repository/verify",
  update: "indices:data/write/update",
};

test("every operation declares the permission of the product's action", () => {
  const declared = operations.map(({ group, permission }) => [group, permission]);

  expect(Object.fromEntries(declared)).toEqual(ofProduct);
});

/** As `scripts/action-names.mjs` found them. */
const lines = readFileSync(join(import.meta.dirname, "action-names.txt"), "utf8").split("\n");
const productNames = new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));

/** Permissions that are no name of the product, and why. */
const deviations: Readonly<Record<string, string>> = {
  none: "`cat.help` reaches no action",
  "internal:index/shard/snapshot[s]":
    "the cluster manager asks for a shard's snapshot; in the product nodes read it in the cluster state",
  "internal:index/shard/snapshot/abort[s]": "the same",
  "internal:cluster/consensus": "messages of Raft in the place of publish, commit and vote",
  "internal:cluster/consensus/snapshot": "the same",
  "internal:cluster/read_index": "a read of Raft's; the product reads what it has applied",
  "internal:cluster/state/applied":
    "nodes tell what they applied; in the product they answer commit_state",
  "internal:cluster/submit": "a shard worker's task for the cluster state, to its own node",
  "internal:cluster/task":
    "tasks of any kind under one name; in the product each is an action of the elected cluster manager",
  "internal:discovery/manager_elected": "news of an election; in the product the publication is",
};

const permissions = new Set([
  ...operations.map(({ permission }) => permission),
  ...[...coreProduct.actions.values()].map(({ permission }) => permission),
]);

test("the list of the product's names says of which version it is", () => {
  expect(lines[0]).toContain("OpenSearch 3.8.0");
  expect(productNames.size).toBeGreaterThan(200);
  expect([...productNames]).toEqual([...productNames].toSorted());
});

test("every permission is a name of the product, or a deviation with a reason", () => {
  const unknown = [...permissions].filter((name) => !productNames.has(name));

  expect(unknown.toSorted()).toEqual(Object.keys(deviations).toSorted());
});

test("no permission of a client deviates", () => {
  expect(Object.keys(deviations).filter((name) => /^(?:indices|cluster):/.test(name))).toEqual([]);
});
