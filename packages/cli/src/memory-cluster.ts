/** A cluster in this one process: in-memory network, inline shard workers, and no file unless a data folder is named. */
import { createNodeHost } from "@orrery/host-node";
import { createMemoryDisk, createMemoryNodeStore } from "@orrery/storage";
import type { Disk, Host, NodeStore } from "@orrery/ports";
import { createMemoryHub } from "@orrery/transport-memory";
import { join } from "node:path";
import type { NodePlan } from "./cluster-plan.ts";
import { writePlan, type DataFolder } from "./data-folder.ts";
import { rolesOf, withPatience, type RunningCluster } from "./running-cluster.ts";
import { serveNode, untilGreen, untilJoined, type ServedNode } from "./serve-node.ts";
import { UsageError } from "./usage.ts";

interface Member {
  readonly plan: NodePlan;
  /** What survives a stop when there is no folder. */
  readonly kept: { readonly disk: Disk; readonly store: NodeStore } | undefined;
  host: Host | undefined;
  /** Also while it is still starting. */
  served: Promise<ServedNode> | undefined;
}

/** Without a folder nothing is written: such nodes keep their data as long as this process lives. */
export function startMemoryCluster(
  plans: readonly NodePlan[],
  folder: DataFolder | undefined,
): RunningCluster {
  // A long recovery in one process must leave turns to everyone else.
  const hub = createMemoryHub({ schedule: setImmediate });
  const members: Member[] = plans.map((plan) => ({
    plan,
    kept:
      folder === undefined
        ? { disk: createMemoryDisk(), store: createMemoryNodeStore() }
        : undefined,
    host: undefined,
    served: undefined,
  }));

  const serve = async (member: Member): Promise<ServedNode> => {
    const { plan, kept } = member;
    const path = folder === undefined ? "" : join(folder.path, plan.name);
    const base = {
      folder: path,
      network: hub.network(plan.name),
      settings: { "node.shard_workers": "0", ...plan.settings },
    };
    const host = createNodeHost({
      ...base,
      ...kept,
    });
    if (folder !== undefined) writePlan(path, plan);
    member.host = host;
    return serveNode(host, plan);
  };

  const start = (member: Member): Promise<ServedNode> => {
    member.served = serve(member);
    return member.served;
  };

  const memberOf = (number: number): Member => {
    const member = members[number - 1];
    if (member === undefined) throw new UsageError(`there is no node [${number}]`);
    return member;
  };

  const stop = async (member: Member): Promise<void> => {
    const { served } = member;
    member.served = undefined;
    // One that cannot start has nothing to stop; whoever started it was told why.
    const running = await served?.catch(() => undefined);
    await running?.stop();
  };

  const green = Promise.all(members.map(start)).then(async (served) => {
    await Promise.all(served.map(({ cluster }) => untilGreen(cluster, plans.length)));
  });

  return {
    nodes: plans.map((plan) => ({
      plan,
      pid: process.pid,
      roles: rolesOf(plan),
    })),
    green,
    stopNode: (number) => stop(memberOf(number)),
    killNode: async (number) => {
      const member = memberOf(number);
      await member.host?.network.close();
      await stop(member);
    },
    startNode: async (number) => {
      const member = memberOf(number);
      if (member.served !== undefined) return;
      const { cluster } = await start(member);
      await withPatience(untilJoined(cluster), member.plan);
    },
    stop: async () => {
      await Promise.all(members.map(stop));
    },
  };
}
