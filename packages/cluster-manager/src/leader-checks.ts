/**
 * Every other node asks the elected cluster manager whether it still is that, and still counts it as a member
 * (`LeaderChecker`): after `retry_count` failures in a row, or one refusal, the node looks for another.
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
  /** The manager is not to be relied on any more; `refused`: it says it is none, or does not know this node. */
  readonly failed: (managerId: NodeId, refused: boolean) => void;
}

export interface LeaderChecks {
  /** Whom to check from now on. */
  watch(managerId: NodeId | undefined): void;
}

const prefix = "cluster.fault_detection.leader_check";

export function createLeaderChecks(options: LeaderChecksOptions): LeaderChecks {
  const { clock, transport, settings } = options;
  /** Made for the first check: a node that starts has better things to do. */
  let request: Uint8Array | undefined;
  let watched: { readonly managerId: NodeId; failures: number } | undefined;
  let cancel: CancelTimer = () => {};

  const check = async (entry: NonNullable<typeof watched>): Promise<void> => {
    const timeoutMs = settings.duration(`${prefix}.timeout`);
    request ??= LeaderCheckRequest.encode({ node: encodeNode(options.localNode) }).finish();
    const problem = await transport
      .request(entry.managerId, actions.leaderCheck, request, { timeoutMs, channel: "ping" })
      .then(() => undefined, problemOf);
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
      // The first check comes after a pause: who has just become manager does not know its members yet.
      cancel = clock.setTimer(settings.duration(`${prefix}.interval`), () => void check(entry));
    },
  };
}

function outcomeOf(problem: Problem | undefined): CheckOutcome {
  if (problem === undefined) return { kind: "answered" };
  const isRefused = problem.type === "coordination_state_rejected_exception";
  return { kind: isRefused ? "refused" : "failed" };
}
