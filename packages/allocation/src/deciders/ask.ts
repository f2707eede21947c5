/** All deciders combined (`AllocationDeciders`): the worst verdict decides. */
import type { IndexMetadata, ShardRouting } from "@orrery/cluster-state";
import { isNodeIgnored, type Allocation } from "../allocation.ts";
import { NEVER, worst, yes, type Decisions, type Verdict } from "../decision.ts";
import { printShardId } from "../print-shard.ts";
import type { RoutingNode } from "../routing-nodes.ts";
import { cacheForNewPrimary, cacheForRemaining, type VerdictCache } from "./verdict-cache.ts";
import type { Decider } from "./decider.ts";
import { deciders } from "./table.ts";

/** Deciders that implement a method, in the order of the table. */
const answering = new Map<keyof Decider, readonly Decider[]>();

function ask(
  allocation: Allocation,
  question: keyof Decider,
  answer: (decider: Decider) => Verdict | undefined,
): Decisions {
  // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
  const asked = answering.get(question) ?? deciders.filter((decider) => question in decider);
  answering.set(question, asked);
  const verdicts: Verdict[] = [];
  let type: Decisions["type"] = "YES";
  for (const decider of asked) {
    const verdict = answer(decider);
    if (verdict === undefined) continue;
    verdicts.push(verdict);
    type = worst(type, verdict.type);
    if (verdict.type === "NO" && !allocation.explains) break;
  }
  return { type, verdicts };
}

export function canAllocate(
  allocation: Allocation,
  copy: ShardRouting,
  node: RoutingNode,
): Decisions {
  if (isNodeIgnored(allocation, copy, node.node.id)) return NEVER;
  return askOnce(cacheForNewPrimary(allocation, copy), node, () =>
    ask(allocation, "canAllocate", (decider) => decider.canAllocate?.(copy, node, allocation)),
  );
}

function askOnce(
  cache: VerdictCache | undefined,
  where: RoutingNode | "anywhere",
  make: () => Decisions,
): Decisions {
  const known = cache?.get(where);
  if (known !== undefined) return known;
  const made = make();
  cache?.set(where, made);
  return made;
}

export function canAllocateAnywhere(allocation: Allocation, copy: ShardRouting): Decisions {
  return askOnce(cacheForNewPrimary(allocation, copy), "anywhere", () =>
    ask(allocation, "canAllocateAnywhere", (decider) =>
      decider.canAllocateAnywhere?.(copy, allocation),
    ),
  );
}

export function canHoldIndex(
  allocation: Allocation,
  metadata: IndexMetadata,
  node: RoutingNode,
): Decisions {
  return ask(allocation, "canHoldIndex", (decider) =>
    decider.canHoldIndex?.(metadata, node, allocation),
  );
}

export function canRemain(
  allocation: Allocation,
  copy: ShardRouting,
  node: RoutingNode,
): Decisions {
  if (isNodeIgnored(allocation, copy, node.node.id)) return NEVER;
  return askOnce(cacheForRemaining(allocation, copy), node, () =>
    ask(allocation, "canRemain", (decider) => decider.canRemain?.(copy, node, allocation)),
  );
}

export function canRebalance(allocation: Allocation, copy: ShardRouting): Decisions {
  return ask(allocation, "canRebalance", (decider) => decider.canRebalance?.(copy, allocation));
}

export function canRebalanceCluster(allocation: Allocation): Decisions {
  return ask(allocation, "canRebalanceCluster", (decider) =>
    decider.canRebalanceCluster?.(allocation),
  );
}

export function canMoveAway(allocation: Allocation, copy: ShardRouting): Decisions {
  return ask(allocation, "canMoveAway", (decider) => decider.canMoveAway?.(copy, allocation));
}

export function canMoveAny(allocation: Allocation): Decisions {
  return ask(allocation, "canMoveAny", (decider) => decider.canMoveAny?.(allocation));
}

export function canTakeAny(allocation: Allocation, node: RoutingNode): Decisions {
  return ask(allocation, "canTakeAny", (decider) => decider.canTakeAny?.(node, allocation));
}

/**
 * The verdicts for a primary when all nodes with a copy of it were refused. Like `canAllocate`, but a NO counts only
 * from a decider that implements `canForcePrimary`.
 */
export function canForcePrimary(
  allocation: Allocation,
  copy: ShardRouting,
  node: RoutingNode,
): Decisions {
  if (isNodeIgnored(allocation, copy, node.node.id)) return NEVER;
  return ask(allocation, "canAllocate", (decider) => {
    if (decider.canForcePrimary !== undefined) {
      return decider.canForcePrimary(copy, node, allocation);
    }
    const verdict = decider.canAllocate?.(copy, node, allocation);
    if (verdict?.type !== "NO") return verdict;
    return yes(
      verdict.label,
      () =>
        `primary shard [${printShardId(copy)}] allowed to force allocate on node [${node.node.id}]`,
    );
  });
}
