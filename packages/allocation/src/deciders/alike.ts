/**
 * Copies that no decider tells apart: an answer about one of them holds for the others, until a copy comes to a node or leaves one.
 *
 * A round over thousands of copies asks about few kinds of them. Reading a verdict again is safe only while everything that a
 * decider reads of a copy is part of its kind or excluded here; a decider that reads more belongs here, too.
 */
import {
  awarenessAttributes,
  customOf,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { rowOf, type RoutingNode } from "../routing-nodes.ts";
import { expectedSize } from "../shard-size.ts";

/** Key under which answers are kept; `undefined`: the copy is asked about by itself. */
export type Answers = Map<RoutingNode | "anywhere", Decisions>;

/** Of an unassigned primary that is to be made from nothing and that no node has failed, of a shard without any other copy. */
export function answersForNewPrimary(
  allocation: Allocation,
  copy: ShardRouting,
): Answers | undefined {
  const { explains, ignoredNodes, routing, state } = allocation;
  if (explains || ignoredNodes.size > 0) return undefined;
  const isNew =
    copy.primary && copy.state === "UNASSIGNED" && copy.recoverySource?.type === "EMPTY_STORE";
  if (!isNew || (copy.unassignedInfo?.failedAllocations ?? 0) > 0) return undefined;
  if (customOf(state, "snapshots") !== undefined) return undefined;
  if (rowOf(routing, copy.index, copy.shard).some(({ nodeId }) => nodeId !== undefined)) {
    return undefined;
  }
  if (expectedSize(allocation, copy) > 0) return undefined;
  return answersOf(allocation, `new ${copy.index}`);
}

/** Of a started copy that may have to leave its node. */
export function answersForRemaining(
  allocation: Allocation,
  copy: ShardRouting,
): Answers | undefined {
  const { explains, ignoredNodes, state } = allocation;
  if (explains || ignoredNodes.size > 0 || spreadsCopies(state)) return undefined;
  return answersOf(allocation, `${copy.primary ? "primary" : "replica"} ${copy.index}`);
}

/** Awareness looks at all copies of a shard. */
function spreadsCopies(state: ClusterState): boolean {
  return awarenessAttributes(state).length > 0;
}

function answersOf({ routing }: Allocation, kind: string): Answers {
  const known = routing.answers.get(kind);
  if (known !== undefined) return known;
  const answers: Answers = new Map();
  routing.answers.set(kind, answers);
  return answers;
}
