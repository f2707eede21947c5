/** Disk usages of all nodes during a term (`ClusterInfoService`), as the allocator reads them, with the disk monitor over them. */
import type { ClusterInfo, DiskUsage } from "@orrery/allocation";
import { withNodeSettings, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import type { Host } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";
import { createDiskMonitor } from "./disk-monitor.ts";
import type { ManagerSettings } from "./settings.ts";
import type { TermService } from "./term-service.ts";
import type { TermTasks } from "./term-tasks.ts";

export interface TermDisksOptions {
  readonly host: Host;
  readonly localNode: DiscoveryNode;
  readonly settings: ManagerSettings;
  readonly applied: () => ClusterState;
  readonly tasks: () => Pick<TermTasks, "ask" | "reroute">;
}

/** Disk usages of one term. */
export interface TermDisks {
  /** The allocator's view. Its identity changes when disks require a reroute: placements decided before must be reconsidered. */
  readonly info: ClusterInfo;
  /** Usage of another node, from its follower check. */
  report(nodeId: NodeId, usage: DiskUsage): void;
  readonly service: TermService;
}

/** Empty usages; each node reports with its first follower check. */
export function createTermDisks(options: TermDisksOptions): TermDisks {
  const { host, localNode, settings } = options;
  const diskUsages = new Map<NodeId, DiskUsage>();
  let info: ClusterInfo = { diskUsages, shardSizes: new Map() };
  const monitor = createDiskMonitor({
    clock: host.clock,
    intervalMs: () => settings.duration("cluster.info.update.interval"),
    applied: () => withNodeSettings(options.applied(), settings.ofNode),
    usages() {
      const { totalBytes, availableBytes: freeBytes } = host.disk.usage();
      return diskUsages.set(localNode.id, { path: host.process.dataPath, totalBytes, freeBytes });
    },
    submit: (task) => options.tasks().ask(task),
    reroute(reason) {
      info = { ...info };
      options.tasks().reroute(reason);
    },
  });
  return {
    get info() {
      return info;
    },
    report(nodeId, usage) {
      diskUsages.set(nodeId, usage);
      monitor.report(nodeId, usage);
    },
    service: {
      applied(_entry, { nodes }) {
        for (const nodeId of [...diskUsages.keys()]) {
          if (!nodes.has(nodeId)) diskUsages.delete(nodeId);
        }
      },
      end: monitor.end,
    },
  };
}
