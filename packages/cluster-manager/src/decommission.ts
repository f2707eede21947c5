/**
 * How the elected cluster manager takes a zone out: its voters leave the configuration, it drains, its nodes are removed.
 *
 * The client is answered before the zone drains. Timers and waits are this term's alone: nobody takes up what is left of them
 * when another node is elected, as in the product (`DecommissionService`). A recommission ends them.
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

/** To get the zone's nodes out of the voting configuration, and this node's successor elected. */
export const abdicationTimeoutMs = 120_000;
const removalTimeoutMs = 120_000;

export interface DecommissionOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly localNode: DiscoveryNode;
  readonly applied: () => ClusterState;
  /** Whether any of these still votes in the Raft group. */
  readonly votes: (nodeIds: ReadonlySet<NodeId>) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
  readonly remove: (nodeIds: readonly NodeId[]) => void;
}

export interface DecommissionService {
  /** Ends when the zone has no vote any more, before it drains. The same request may come again. */
  start(request: DecommissionRequest): Promise<void>;
  /** The applied state, or Raft's configuration, has changed. */
  changed(): void;
  end(): void;
}

interface Wait {
  readonly isReached: () => boolean;
  readonly resolve: (outcome: "reached" | "timeout") => void;
  readonly reject: (error: OperationError) => void;
  readonly cancel: CancelTimer;
}

export function createDecommissionService(options: DecommissionOptions): DecommissionService {
  const { clock, log, localNode, applied } = options;
  const underWay = new Map<string, Promise<void>>();
  const waits = createWaits(clock, localNode);
  const { wait } = waits;

  /** Still the decommission that this request began, at that status. */
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

  /** The zone is without a vote when this ends. */
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
    // A recommission that came in between has ended it, and moved nothing.
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

  /** What goes wrong is the decommission's failure, unless it went with the term. */
  const drainOrFail = async (request: DecommissionRequest): Promise<void> => {
    try {
      await drain(request);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log("warn", `decommission of [${describeZone(request)}] did not go on: ${wordsOf(error)}`);
      if (!waits.isEnded) await move(request, "failed").catch(ignoreProblem);
    }
  };

  const begin = async (request: DecommissionRequest): Promise<void> => {
    const { attribute, value, requestId, weighsAway } = request;
    await options.submit({ kind: "decommission-zone", attribute, value, requestId, weighsAway });
    if (!isAt(request, "init")) return;
    await abdicate(request);
    if (isAt(request, "init")) void drainOrFail(request);
  };

  return {
    start(request) {
      const { requestId } = request;
      const known = underWay.get(requestId);
      if (known !== undefined) return known;
      const done = begin(request);
      underWay.set(requestId, done);
      // Refused: the same words again are another attempt.
      done.catch(() => underWay.delete(requestId));
      return done;
    },
    changed: waits.reconsider,
    end: waits.end,
  };
}

interface Waits {
  readonly isEnded: boolean;
  wait(isReached: () => boolean, timeoutMs: number): Promise<"reached" | "timeout">;
  reconsider(): void;
  /** Rejects those that wait, and those that come. */
  end(): void;
}

/** Waits for the applied state, or Raft's configuration, that are lost with the term. */
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
