/**
 * Checks of every node of the state by the elected cluster manager (`FollowersChecker`): a node is removed after
 * `retry_count` failures in a row, and at once when another process answers or the node reports that it is unhealthy.
 *
 * Answers carry the applied index and disk usage. They travel on the channel `ping`, so that a queue of recovery or bulk
 * traffic does not look like a dead node.
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

/** Checks of one term. */
export interface FollowerChecks {
  /** Replaces the set of checked nodes, which excludes the local one. A new process of a node is checked from zero failures. */
  watch(nodes: readonly DiscoveryNode[]): void;
  end(): void;
}

/** A checked process; its next check is a timer, or under way. */
interface Watched {
  readonly node: DiscoveryNode;
  failures: number;
  cancel: CancelTimer;
}

const prefix = "cluster.fault_detection.follower_check";

/** Checks of no node; requests carry the term, so that nodes in a later term reject them. */
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
    // The node left the state, or was replaced by another process, while the request was under way.
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
      // A new node is checked at once: its answer carries its applied index, which acknowledgements wait for.
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

/** Outcome of an answer, and the reason of `node-left` in case that the node is lost by it. */
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
