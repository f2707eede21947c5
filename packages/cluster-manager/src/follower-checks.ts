/**
 * The elected cluster manager asks every node of the state whether it is alive (`FollowersChecker`): after
 * `retry_count` failures in a row the node is taken out; at once when it says itself that it is not well.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { CancelTimer, Clock, Transport } from "@orrery/ports";
import { actions, FollowerCheckRequest, FollowerCheckResponse } from "@orrery/protocol";
import { problemOf, type NodeId, type Problem } from "@orrery/stdx";
import { checkStep, type CheckOutcome } from "./check-step.ts";
import type { ManagerSettings } from "./settings.ts";

export interface FollowerChecksOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly settings: ManagerSettings;
  readonly term: number;
  readonly answered: (nodeId: NodeId, response: FollowerCheckResponse) => void;
  readonly failed: (nodeId: NodeId, reason: string) => void;
}

export interface FollowerChecks {
  /** The nodes to watch, the local one not among them. */
  watch(nodes: readonly DiscoveryNode[]): void;
  end(): void;
}

interface Watched {
  readonly node: DiscoveryNode;
  failures: number;
  cancel: CancelTimer;
}

const prefix = "cluster.fault_detection.follower_check";

export function createFollowerChecks(options: FollowerChecksOptions): FollowerChecks {
  const { clock, transport, settings } = options;
  const watched = new Map<NodeId, Watched>();
  const request = FollowerCheckRequest.encode({ term: options.term }).finish();

  const isWatched = (entry: Watched): boolean => watched.get(entry.node.id) === entry;

  const check = async (entry: Watched): Promise<void> => {
    const { node } = entry;
    const timeoutMs = settings.duration(`${prefix}.timeout`);
    const answer = await transport
      .request(node.id, actions.followerCheck, request, { timeoutMs, channel: "ping" })
      .then(FollowerCheckResponse.decode, problemOf);
    if (!isWatched(entry)) return;
    const { outcome, reason } = outcomeOf(node, answer);
    const retryCount = settings.number(`${prefix}.retry_count`);
    const verdict = checkStep(entry.failures, outcome, retryCount);
    if (verdict.kind === "lost") {
      watched.delete(node.id);
      options.failed(node.id, reason);
      return;
    }
    entry.failures = verdict.failures;
    if (!("reason" in answer)) options.answered(node.id, answer);
    entry.cancel = clock.setTimer(settings.duration(`${prefix}.interval`), () => void check(entry));
  };

  return {
    watch(nodes) {
      const wanted = new Map(nodes.map((node) => [node.id, node]));
      for (const [nodeId, entry] of [...watched]) {
        if (wanted.get(nodeId)?.ephemeralId === entry.node.ephemeralId) continue;
        entry.cancel();
        watched.delete(nodeId);
      }
      for (const node of nodes) {
        if (watched.has(node.id)) continue;
        const entry: Watched = { node, failures: 0, cancel: () => {} };
        watched.set(node.id, entry);
        void check(entry);
      }
    },
    end() {
      for (const entry of watched.values()) entry.cancel();
      watched.clear();
    },
  };
}

/** With the reason for which the node is taken out, if it is. */
function outcomeOf(
  { ephemeralId }: DiscoveryNode,
  answer: FollowerCheckResponse | Problem,
): { readonly outcome: CheckOutcome; readonly reason: string } {
  if (!("reason" in answer)) {
    const isSame = answer.ephemeralId === ephemeralId;
    return { outcome: { kind: isSame ? "answered" : "refused" }, reason: "disconnected" };
  }
  if (answer.type === "node_health_check_failure_exception") {
    return { outcome: { kind: "refused" }, reason: "health check failed" };
  }
  return { outcome: { kind: "failed" }, reason: "followers check retry count exceeded" };
}
