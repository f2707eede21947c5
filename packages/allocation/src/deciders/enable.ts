/** `enable`: allocation and rebalancing can be disabled for the cluster or an index (`EnableAllocationDecider`). */
import { clusterSetting, indexSetting, type ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Verdict } from "../decision.ts";
import { indexMetadataOf } from "../routing-nodes.ts";
import type { Decider } from "./decider.ts";

const LABEL = "enable";

export const enable: Decider = {
  canAllocate: (copy, _, allocation) => canAllocate(copy, allocation),
  canAllocateAnywhere: canAllocate,
  canRebalance,
  canRebalanceCluster,
};

interface Switch {
  readonly value: string;
  /** `cluster setting [key=value]` */
  readonly text: () => string;
}

type Kind = "allocation" | "rebalance";

function switchOf(copy: ShardRouting, { routing, state }: Allocation, kind: Kind): Switch {
  const metadata = indexMetadataOf(routing, copy.index);
  const indexKey = `index.routing.${kind}.enable` as const;
  if (metadata.settings[indexKey] !== undefined) {
    return switchFrom("index", indexKey, indexSetting(metadata, indexKey));
  }
  const key = `cluster.routing.${kind}.enable` as const;
  return switchFrom("cluster", key, clusterSetting(state, key));
}

function switchFrom(scope: string, key: string, raw: string): Switch {
  const value = raw.toLowerCase();
  return { value, text: () => `${scope} setting [${key}=${value}]` };
}

function canAllocate(copy: ShardRouting, allocation: Allocation): Verdict {
  if (allocation.ignoresDisable) {
    return yes(
      LABEL,
      () =>
        "explicitly ignoring any disabling of allocation due to manual allocation commands via the reroute API",
    );
  }
  const { value, text } = switchOf(copy, allocation, "allocation");
  switch (value) {
    case "none":
      return no(LABEL, () => `no allocations are allowed due to ${text()}`);
    case "new_primaries":
      return copy.primary && copy.state !== "STARTED" && copy.state !== "RELOCATING" && isNew(copy)
        ? yes(LABEL, () => "new primary allocations are allowed")
        : no(LABEL, () => `non-new primary allocations are forbidden due to ${text()}`);
    case "primaries":
      return copy.primary
        ? yes(LABEL, () => "primary allocations are allowed")
        : no(LABEL, () => `replica allocations are forbidden due to ${text()}`);
    default:
      return yes(LABEL, () => "all allocations are allowed");
  }
}

function isNew({ recoverySource }: ShardRouting): boolean {
  return recoverySource?.type !== "EXISTING_STORE";
}

function canRebalance(copy: ShardRouting, allocation: Allocation): Verdict {
  if (allocation.ignoresDisable) {
    return yes(LABEL, () => "allocation is explicitly ignoring any disabling of rebalancing");
  }
  const { value, text } = switchOf(copy, allocation, "rebalance");
  switch (value) {
    case "none":
      return no(LABEL, () => `no rebalancing is allowed due to ${text()}`);
    case "primaries":
      return copy.primary
        ? yes(LABEL, () => "primary rebalancing is allowed")
        : no(LABEL, () => `replica rebalancing is forbidden due to ${text()}`);
    case "replicas":
      return copy.primary
        ? no(LABEL, () => `primary rebalancing is forbidden due to ${text()}`)
        : yes(LABEL, () => "replica rebalancing is allowed");
    default:
      return yes(LABEL, () => "all rebalancing is allowed");
  }
}

function canRebalanceCluster({ ignoresDisable, state }: Allocation): Verdict {
  if (ignoresDisable) {
    return yes(LABEL, () => "allocation is explicitly ignoring any disabling of rebalancing");
  }
  const key = "cluster.routing.rebalance.enable";
  const value = clusterSetting(state, key).toLowerCase();
  if (value !== "none") return yes(LABEL, () => "rebalancing is not globally disabled");
  const isAllowedSomewhere = [...state.metadata.indices.values()].some(
    (metadata) =>
      metadata.settings["index.routing.rebalance.enable"] !== undefined &&
      indexSetting(metadata, "index.routing.rebalance.enable").toLowerCase() !== "none",
  );
  if (isAllowedSomewhere) {
    return yes(LABEL, () => "rebalancing is permitted on one or more indices");
  }
  return no(LABEL, () => `no rebalancing is allowed due to cluster setting [${key}=none]`);
}
