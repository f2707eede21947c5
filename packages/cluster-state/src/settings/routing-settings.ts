/** Settings of routing and allocation (`cluster.routing.*`). Source: `ClusterSettings` of 3.8.0. */
import { boolean, double, duration, int, list, long, text } from "./setting-type.ts";
import type { SettingRow } from "./setting.ts";

export const routingRows: readonly SettingRow[] = [
  {
    name: "cluster.routing.allocation.allow_rebalance",
    type: text("indices_all_active"),
    isDynamic: true,
  },
  { name: "cluster.routing.allocation.awareness.attributes", type: list([]), isDynamic: true },
  { name: "cluster.routing.allocation.awareness.balance", type: boolean(false), isDynamic: true },
  { name: "cluster.routing.allocation.awareness.force.", type: text(""), isDynamic: true },
  {
    name: "cluster.routing.allocation.balance.index",
    type: double("0.55", { min: "0.0" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.balance.prefer_primary",
    type: boolean(false),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.balance.shard",
    type: double("0.45", { min: "0.0" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.balance.threshold",
    type: double("1.0", { min: "0.0" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.balanced_shards_allocator.allocator_timeout",
    type: duration("-1"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.balanced_shards_allocator.schedule_reroute.priority",
    type: text("NORMAL"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.cluster_concurrent_rebalance",
    type: int(2, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.cluster_concurrent_recoveries",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.disk.include_relocations",
    type: boolean(true),
    isDynamic: true,
    isDeprecated: true,
  },
  {
    name: "cluster.routing.allocation.disk.reroute_interval",
    type: duration("60s", { min: "0ms" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.disk.threshold_enabled",
    type: boolean(true),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.disk.warm_threshold_enabled",
    type: boolean(true),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.disk.watermark.enable_for_single_data_node",
    type: boolean(false),
  },
  {
    name: "cluster.routing.allocation.disk.watermark.flood_stage",
    type: text("95%"),
    isDynamic: true,
  },
  { name: "cluster.routing.allocation.disk.watermark.high", type: text("90%"), isDynamic: true },
  { name: "cluster.routing.allocation.disk.watermark.low", type: text("85%"), isDynamic: true },
  { name: "cluster.routing.allocation.enable", type: text("all"), isDynamic: true },
  { name: "cluster.routing.allocation.exclude.", type: text(""), isDynamic: true },
  { name: "cluster.routing.allocation.include.", type: text(""), isDynamic: true },
  {
    name: "cluster.routing.allocation.load_awareness.allow_unassigned_primaries",
    type: boolean(true),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.load_awareness.flat_skew",
    type: int(2, { min: 2 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.load_awareness.provisioned_capacity",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.load_awareness.skew_factor",
    type: double("50.0", { min: "-1.0" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.move.primary_first",
    type: boolean(false),
    isDynamic: true,
    isDeprecated: true,
  },
  {
    name: "cluster.routing.allocation.node_concurrent_incoming_recoveries",
    type: int(2, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.node_concurrent_outgoing_recoveries",
    type: int(2, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.node_concurrent_recoveries",
    type: int(2, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.node_initial_primaries_recoveries",
    type: int(4, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.node_initial_replicas_recoveries",
    type: int(4, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.primary_constraint.threshold",
    type: long(10, { min: 0 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.rebalance.primary.buffer",
    type: double("0.1", { min: "0.0" }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.rebalance.primary.enable",
    type: boolean(false),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.remote_primary.ignore_throttle",
    type: boolean(true),
    isDynamic: true,
  },
  { name: "cluster.routing.allocation.require.", type: text(""), isDynamic: true },
  { name: "cluster.routing.allocation.same_shard.host", type: boolean(false), isDynamic: true },
  {
    name: "cluster.routing.allocation.shard_movement_strategy",
    type: text("no_preference"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.shard_state.reroute.priority",
    type: text("NORMAL"),
    isDynamic: true,
    isDeprecated: true,
  },
  {
    name: "cluster.routing.allocation.shards_batch_gateway_allocator.primary_allocator_timeout",
    type: duration("20s"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.shards_batch_gateway_allocator.replica_allocator_timeout",
    type: duration("20s"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.shards_batch_gateway_allocator.schedule_reroute.priority",
    type: text("NORMAL"),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.total_primary_shards_per_node",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.total_remote_capable_shards_limit",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.total_remote_capable_shards_per_node",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.total_shards_limit",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  {
    name: "cluster.routing.allocation.total_shards_per_node",
    type: int(-1, { min: -1 }),
    isDynamic: true,
  },
  { name: "cluster.routing.allocation.type", type: text("balanced") },
  {
    name: "cluster.routing.allocation.unassigned.node_left.delayed_timeout",
    type: duration("1m", { min: "0ms" }),
    isDynamic: true,
  },
  { name: "cluster.routing.ignore_weighted_routing", type: boolean(false), isDynamic: true },
  { name: "cluster.routing.rebalance.enable", type: text("all"), isDynamic: true },
  { name: "cluster.routing.search_replica.strict", type: boolean(true), isDynamic: true },
  { name: "cluster.routing.use_adaptive_replica_selection", type: boolean(true), isDynamic: true },
  {
    name: "cluster.routing.weighted.default_weight",
    type: double("1.0", { min: "1.0" }),
    isDynamic: true,
  },
  { name: "cluster.routing.weighted.fail_open", type: boolean(true), isDynamic: true },
  { name: "cluster.routing.weighted.strict", type: boolean(true), isDynamic: true },
];
