/** How full the disks of all nodes are, as a term of the elected cluster manager has heard, and what full ones lead to. */
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

export interface TermDisks {
  /** Another object whenever disks are a reason to look anew at copies that were left where they are. */
  readonly info: ClusterInfo;
  report(nodeId: NodeId, usage: DiskUsage): void;
  readonly service: TermService;
}

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
