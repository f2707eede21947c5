/**
 * Checks of the elected cluster manager by every other node (`LeaderChecker`): whether its term continues, and whether
 * it still has this node as a member. After `retry_count` failures in a row, or one rejection, the node forgets it and
 * discovers another one. Raft's heartbeats do not replace this: they also reach a voter that was removed from the state.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { CancelTimer, Clock, Transport } from "@orrery/ports";
import { actions, encodeNode, LeaderCheckRequest } from "@orrery/protocol";
import { problemOf, type NodeId, type Problem } from "@orrery/stdx";
import { checkStep, type CheckOutcome } from "./check-step.ts";
import type { ManagerSettings } from "./settings.ts";

export interface LeaderChecksOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly settings: ManagerSettings;
  readonly localNode: DiscoveryNode;
  /** Called when the cluster manager is lost; `refused`: it answered that its term is over, or that this node was removed. */
  readonly failed: (managerId: NodeId, refused: boolean) => void;
}

/** Checks by one node. */
export interface LeaderChecks {
  /** Sets the node to check from now on; undefined ends the checks. An unchanged id changes nothing. */
  watch(managerId: NodeId | undefined): void;
}

const prefix = "cluster.fault_detection.leader_check";

/** Checks of no node. */
export function createLeaderChecks(options: LeaderChecksOptions): LeaderChecks {
  const { clock, transport, settings } = options;
  /** Encoded for the first check, and not while the node starts. */
  let request: Uint8Array | undefined;
  let watched: { readonly managerId: NodeId; failures: number } | undefined;
  let cancel: CancelTimer = () => {};

  const check = async (entry: NonNullable<typeof watched>): Promise<void> => {
    const timeoutMs = settings.duration(`${prefix}.timeout`);
    request ??= LeaderCheckRequest.encode({ node: encodeNode(options.localNode) }).finish();
    const problem = await transport
      .request(entry.managerId, actions.leaderCheck, request, { timeoutMs, channel: "ping" })
      .then(() => undefined, problemOf);
    // Another cluster manager was elected while the request was under way.
    if (watched !== entry) return;
    const outcome = outcomeOf(problem);
    const retryCount = settings.number(`${prefix}.retry_count`);
    const verdict = checkStep(entry.failures, outcome, retryCount);
    if (verdict.kind === "lost") {
      watched = undefined;
      options.failed(entry.managerId, outcome.kind === "refused");
      return;
    }
    entry.failures = verdict.failures;
    cancel = clock.setTimer(settings.duration(`${prefix}.interval`), () => void check(entry));
  };

  return {
    watch(managerId) {
      if (watched?.managerId === managerId) return;
      cancel();
      watched = undefined;
      if (managerId === undefined) return;
      const entry = { managerId, failures: 0 };
      watched = entry;
      // The first check comes after an interval: the term of a cluster manager that was just elected may not have begun.
      cancel = clock.setTimer(settings.duration(`${prefix}.interval`), () => void check(entry));
    },
  };
}

function outcomeOf(problem: Problem | undefined): CheckOutcome {
  if (problem === undefined) return { kind: "answered" };
  const isRefused = problem.type === "coordination_state_rejected_exception";
  return { kind: isRefused ? "refused" : "failed" };
}
