/**
 * Disk watermarks (`DiskThresholdMonitor`): above the flood stage the indices on a node become read-only
 * (`read_only_allow_delete`), above the high watermark a reroute moves copies away, and when every known data node is
 * above it no index may be created. Blocks are released by the same checks once the disks have room.
 */
import type { DiskUsage } from "@orrery/allocation";
import {
  clusterSetting,
  copiesOn,
  isDataNode,
  type ClusterState,
  type Task,
} from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import { parseByteSize, type NodeId } from "@orrery/stdx";

const blockSetting = "index.blocks.read_only_allow_delete";
const createSetting = "cluster.blocks.create_index";

export interface DiskMonitorOptions {
  readonly clock: Clock;
  readonly intervalMs: () => number;
  readonly applied: () => ClusterState;
  /** Last reported usages of all nodes, with the local node's current one. */
  readonly usages: () => ReadonlyMap<NodeId, DiskUsage>;
  readonly submit: (task: Task) => void;
  readonly reroute: (reason: string) => void;
}

/** The monitor of one term; checks all usages every `cluster.info.update.interval`. */
export interface DiskMonitor {
  /** Usage of one node, from its follower check. */
  report(nodeId: NodeId, usage: DiskUsage): void;
  end(): void;
}

/** The monitor; its first check comes after one interval, when nodes have reported. */
export function createDiskMonitor(options: DiskMonitorOptions): DiskMonitor {
  const { clock } = options;
  let cancel: CancelTimer;
  let lastRerouteMs = Number.NEGATIVE_INFINITY;
  let wasOver: ReadonlySet<NodeId> = new Set();
  const overLow = new Set<NodeId>();

  /**
   * Reroutes at once when a node fell below the high watermark, so that shards which waited for room are placed; while
   * some node is above it, at most once in `reroute_interval`, because one reroute moves only as much as recoveries allow.
   */
  const rerouteIfDue = (state: ClusterState, over: ReadonlySet<NodeId>): void => {
    const isRelieved = [...wasOver].some((nodeId) => !over.has(nodeId));
    wasOver = over;
    const pauseMs = clusterSetting(state, "cluster.routing.allocation.disk.reroute_interval");
    const isDue = clock.monotonicMs() - lastRerouteMs >= pauseMs;
    if (!isRelieved && (over.size === 0 || !isDue)) return;
    lastRerouteMs = clock.monotonicMs();
    options.reroute("disk threshold monitor");
  };

  /**
   * Reroutes when a node falls below the low watermark: deciders read each usage as soon as it is reported, but an
   * allocation that they refused for that disk is only retried by a reroute.
   */
  const report = (nodeId: NodeId, usage: DiskUsage): void => {
    const low = clusterSetting(options.applied(), "cluster.routing.allocation.disk.watermark.low");
    if (isOver(usage, low)) overLow.add(nodeId);
    else if (overLow.delete(nodeId)) options.reroute("disk threshold monitor");
  };

  const check = (): void => {
    cancel = clock.setTimer(options.intervalMs(), check);
    const state = options.applied();
    if (!clusterSetting(state, "cluster.routing.allocation.disk.threshold_enabled")) return;
    const usages = options.usages();
    for (const [nodeId, usage] of usages) report(nodeId, usage);
    const nodes = judge(state, usages);
    for (const task of tasksFor(state, nodes, clock.nowMs())) options.submit(task);
    rerouteIfDue(state, nodes.overHigh);
  };
  cancel = clock.setTimer(options.intervalMs(), check);

  return { report, end: () => cancel() };
}

/** Data nodes above the watermarks; `known` is how many reported a usage. */
interface Judgement {
  readonly known: number;
  readonly overHigh: ReadonlySet<NodeId>;
  readonly overFlood: ReadonlySet<NodeId>;
}

function judge(state: ClusterState, usages: ReadonlyMap<NodeId, DiskUsage>): Judgement {
  const high = clusterSetting(state, "cluster.routing.allocation.disk.watermark.high");
  const flood = clusterSetting(state, "cluster.routing.allocation.disk.watermark.flood_stage");
  const data = [...usages].filter(([nodeId]) => {
    const node = state.nodes.get(nodeId);
    return node !== undefined && isDataNode(node);
  });
  const over = (watermark: string): ReadonlySet<NodeId> =>
    new Set(data.filter(([, usage]) => isOver(usage, watermark)).map(([nodeId]) => nodeId));
  return { known: data.length, overHigh: over(high), overFlood: over(flood) };
}

/** A watermark is a used share (`85%`, `0.85`), or the bytes that must stay free. */
function isOver({ totalBytes, freeBytes }: DiskUsage, watermark: string): boolean {
  if (totalBytes === 0) return false;
  const usedShare = (totalBytes - freeBytes) / totalBytes;
  if (watermark.endsWith("%")) return usedShare * 100 > Number(watermark.slice(0, -1));
  const share = Number(watermark);
  if (Number.isFinite(share)) return usedShare > share;
  return freeBytes < (parseByteSize(watermark) ?? 0);
}

/**
 * Tasks that bring the blocks in line with the usages. An index is released only when none of its copies is on a node
 * above the high watermark: releasing below the flood stage already would block it again with the next few writes.
 */
function tasksFor(state: ClusterState, nodes: Judgement, nowMs: number): Task[] {
  const indicesOn = (nodeIds: ReadonlySet<NodeId>): Set<string> =>
    new Set([...nodeIds].flatMap((nodeId) => copiesOn(state, nodeId).map(({ index }) => index)));
  const isBlocked = (index: string): boolean =>
    state.metadata.indices.get(index)?.settings[blockSetting] === "true";
  const flooded = indicesOn(nodes.overFlood);
  const crowded = indicesOn(nodes.overHigh);
  const toBlock = [...flooded].filter((index) => !isBlocked(index));
  const toRelease = [...state.metadata.indices.keys()].filter(
    (index) => isBlocked(index) && !crowded.has(index) && !flooded.has(index),
  );
  const change = (indices: readonly string[], value: "true" | null): Task[] => {
    if (indices.length === 0) return [];
    const settings = { [blockSetting]: value };
    return [{ kind: "update-index-settings", indices, settings, preserveExisting: false, nowMs }];
  };
  return [...change(toBlock, "true"), ...change(toRelease, null), ...createTasks(state, nodes)];
}

/** The task that sets or releases the cluster-wide block of index creation, if it has to change. */
function createTasks(state: ClusterState, { known, overHigh }: Judgement): Task[] {
  const isBlocked = clusterSetting(state, createSetting);
  const isFull = known > 0 && overHigh.size === known;
  const mayRelease = clusterSetting(state, "cluster.blocks.create_index.auto_release");
  if (isBlocked === isFull || (isBlocked && !mayRelease)) return [];
  const persistent = { [createSetting]: isFull ? "true" : null };
  return [{ kind: "update-cluster-settings", persistent, transient: {} }];
}
