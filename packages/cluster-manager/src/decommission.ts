/**
 * Decommission of an awareness zone by the elected cluster manager (`DecommissionService`, `DecommissionController`):
 * its voters leave the voting configuration, the zone drains for the requested time, its nodes are removed.
 *
 * Statuses in order: `init`, `draining` (only with a delay), `in_progress`, `successful`; `failed` instead of any later
 * one. Each is a task in the log. The voters go first, since removing nodes that still vote could cost the cluster its
 * quorum. The client is answered after that step, before the drain.
 *
 * Timers and waits belong to the term. The next elected cluster manager does not resume them, as in the product; the
 * status then stays where it was until a client recommissions or decommissions again.
 */
import {
  decommissionOf,
  describeNode,
  describeZone,
  isInZone,
  type ClusterState,
  type DecommissionStatus,
  type DiscoveryNode,
  type Task,
} from "@orrery/cluster-state";
import type { CancelTimer, Clock, Log } from "@orrery/ports";
import { OperationError, wordsOf, type NodeId } from "@orrery/stdx";
import { ignoreProblem, notElected } from "./problems.ts";
import type { DecommissionRequest } from "./types.ts";

/** Time limit for the zone's nodes to leave the voting configuration, including the election of a successor outside it. */
export const abdicationTimeoutMs = 120_000;
const removalTimeoutMs = 120_000;

export interface DecommissionOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly localNode: DiscoveryNode;
  readonly applied: () => ClusterState;
  /** Whether any of these nodes still votes, by Raft's configuration; it follows the state's with a delay. */
  readonly votes: (nodeIds: ReadonlySet<NodeId>) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
  /** Proposes the removal of these nodes from the state. */
  readonly remove: (nodeIds: readonly NodeId[]) => void;
}

/** Decommissions of one term. */
export interface DecommissionService {
  /**
   * Resolves when the zone has no vote any more, before it drains. A repeated request, known by its id, shares the
   * outcome. Rejects when the state refuses the zone, after 120 s, and when the term ends.
   */
  start(request: DecommissionRequest): Promise<void>;
  /** Re-evaluates the waits, after a change of the applied state or of Raft's configuration. */
  changed(): void;
  end(): void;
}

/** A wait for a condition on the applied state and Raft's configuration. */
interface Wait {
  readonly isReached: () => boolean;
  readonly resolve: (outcome: "reached" | "timeout") => void;
  readonly reject: (error: OperationError) => void;
  readonly cancel: CancelTimer;
}

/** The decommission service of a new term. A decommission of an earlier term is not resumed. */
export function createDecommissionService(options: DecommissionOptions): DecommissionService {
  const { clock, log, localNode, applied } = options;
  const underWay = new Map<string, Promise<void>>();
  const waits = createWaits(clock, localNode);
  const { wait } = waits;

  /** Whether the state holds the decommission of this request, at that status. Another request, or a recommission, replaces it. */
  const isAt = ({ requestId }: DecommissionRequest, status: DecommissionStatus): boolean => {
    const held = decommissionOf(applied());
    return held?.requestId === requestId && held.status === status;
  };

  const move = async (request: DecommissionRequest, status: DecommissionStatus): Promise<void> => {
    const { requestId } = request;
    await options.submit({ kind: "update-decommission-status", requestId, status });
  };

  const isGone = (request: DecommissionRequest): boolean =>
    decommissionOf(applied())?.requestId !== request.requestId;

  const membersOf = (request: DecommissionRequest): readonly DiscoveryNode[] =>
    [...applied().nodes.values()].filter((node) => isInZone(node, request));

  const hasAbdicated = (request: DecommissionRequest): boolean => {
    const voters = applied().metadata.coordination.votingConfiguration;
    const zone = new Set(membersOf(request).map(({ id }) => id));
    return !zone.has(localNode.id) && !voters.some((id) => zone.has(id)) && !options.votes(zone);
  };

  /**
   * Waits until no node of the zone votes. The task `decommission-zone` has excluded them from the voting configuration;
   * `follow-configuration.ts` does the rest. An elected cluster manager inside the zone transfers its term on the way,
   * and this wait is rejected with it: the retry of the request continues on the successor.
   */
  const abdicate = async (request: DecommissionRequest): Promise<void> => {
    const isOver = (): boolean => isGone(request) || hasAbdicated(request);
    const outcome = await wait(isOver, abdicationTimeoutMs);
    if (outcome === "reached") return;
    const eligible = membersOf(request).filter(({ roles }) => roles.includes("cluster_manager"));
    await move(request, "failed");
    const reason = `timed out [${abdicationTimeoutMs / 1000}s] while removing to-be-decommissioned cluster manager eligible nodes [${eligible.map(describeNode).join(", ")}] from voting config`;
    throw new OperationError({ type: "timeout_exception", reason, status: 500 });
  };

  const remove = async (request: DecommissionRequest): Promise<void> => {
    await move(request, "in_progress");
    // A recommission that was applied before the task turned it into a task without effect.
    if (!isAt(request, "in_progress")) return;
    const isOut = (): boolean => isGone(request) || membersOf(request).length === 0;
    options.remove(membersOf(request).map(({ id }) => id));
    if ((await wait(isOut, removalTimeoutMs)) === "reached") {
      if (isAt(request, "in_progress")) await move(request, "successful");
      return;
    }
    log(
      "warn",
      `timed out [${removalTimeoutMs / 1000}s] while waiting for removal of decommissioned nodes [${membersOf(request).map(describeNode).join(", ")}]`,
    );
    await move(request, "failed");
  };

  const drain = async (request: DecommissionRequest): Promise<void> => {
    const { delayMs } = request;
    const zone = describeZone(request);
    if (delayMs > 0) {
      await move(request, "draining");
      log("info", `draining [${zone}] for [${delayMs / 1000}s]`);
      if ((await wait(() => isGone(request), delayMs)) === "reached") return;
    }
    await remove(request);
    const status = decommissionOf(applied())?.status;
    if (!isGone(request)) log("info", `decommission of [${zone}] is [${status}]`);
  };

  /** Drains; an `OperationError` on the way is recorded as status `failed`, unless the term has ended with it. */
  const drainOrFail = async (request: DecommissionRequest): Promise<void> => {
    try {
      await drain(request);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log("warn", `decommission of [${describeZone(request)}] failed: ${wordsOf(error)}`);
      if (!waits.isEnded) await move(request, "failed").catch(ignoreProblem);
    }
  };

  const begin = async (request: DecommissionRequest): Promise<void> => {
    const { attribute, value, requestId, weighsAway } = request;
    await options.submit({ kind: "decommission-zone", attribute, value, requestId, weighsAway });
    // A retry whose decommission has left `init`: an earlier attempt has come further, and there is nothing to wait for.
    if (!isAt(request, "init")) return;
    await abdicate(request);
    // Not awaited: the client is answered now, and the drain may take hours.
    if (isAt(request, "init")) void drainOrFail(request);
  };

  return {
    start(request) {
      const { requestId } = request;
      const known = underWay.get(requestId);
      if (known !== undefined) return known;
      const done = begin(request);
      underWay.set(requestId, done);
      // A rejected request may be repeated under the same id, as a new attempt.
      done.catch(() => underWay.delete(requestId));
      return done;
    },
    changed: waits.reconsider,
    end: waits.end,
  };
}

/** The waits of one term. */
interface Waits {
  readonly isEnded: boolean;
  wait(isReached: () => boolean, timeoutMs: number): Promise<"reached" | "timeout">;
  reconsider(): void;
  /** Rejects all waits, present and future, with `not_cluster_manager_exception`. */
  end(): void;
}

/** Waits for conditions, each with its own timer; the caller reports changes by `reconsider`. */
function createWaits(clock: Clock, localNode: DiscoveryNode): Waits {
  const waits = new Set<Wait>();
  let isEnded = false;
  return {
    get isEnded() {
      return isEnded;
    },
    wait: (isReached, timeoutMs) =>
      new Promise((resolve, reject) => {
        if (isEnded) reject(lost(localNode));
        else if (isReached()) resolve("reached");
        else {
          const cancel = clock.setTimer(timeoutMs, () => {
            waits.delete(entry);
            resolve("timeout");
          });
          const entry: Wait = { isReached, resolve, reject, cancel };
          waits.add(entry);
        }
      }),
    reconsider() {
      for (const entry of [...waits]) {
        // Resolving one wait may have ended another in the same turn.
        if (!waits.has(entry) || !entry.isReached()) continue;
        waits.delete(entry);
        entry.cancel();
        entry.resolve("reached");
      }
    },
    end() {
      isEnded = true;
      for (const entry of waits) {
        entry.cancel();
        entry.reject(lost(localNode));
      }
      waits.clear();
    },
  };
}

function lost(node: DiscoveryNode): OperationError {
  return notElected(
    `node [${describeNode(node)}] not eligible to execute decommission request. Will retry until timeout.`,
  );
}
