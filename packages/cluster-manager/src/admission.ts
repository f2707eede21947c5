/**
 * Admission of nodes by the elected cluster manager (`JoinHelper`, `JoinTaskExecutor`): a join request is validated,
 * its node gets a Raft id and is fed the log as a learner, and `node-join` is proposed once it has caught up.
 *
 * In that order, because a node of the state counts for acknowledgements, shard allocation and, if eligible, the
 * voting configuration: a node added with an empty log would hold up all of them until it had received a snapshot.
 *
 * The request is answered before the node is a member. The node learns of its membership from the log itself, and
 * repeats the request until then; every step here is therefore idempotent for one process of a node.
 */
import {
  describeNode,
  type ClusterState,
  type DiscoveryNode,
  type Task,
} from "@orrery/cluster-state";
import type { CancelTimer, Clock } from "@orrery/ports";
import { decodeNode, JoinResponse, type JoinRequest } from "@orrery/protocol";
import { defined, OperationError, type NodeId, type Problem } from "@orrery/stdx";
import { refuseJoin } from "./join-rules.ts";
import { isProblem, type Links } from "./links.ts";
import { priorityOf, sourceOf } from "./priorities.ts";
import { differentlySkipped, readPositions, type PassedOver, type Position } from "./quarantine.ts";
import type { NewWork, TaskRunner } from "./task-runner.ts";

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly links: Links;
  readonly runner: TaskRunner;
  readonly selfRaftId: number;
  readonly applied: () => ClusterState;
  /** Entries that this node skips or will skip. */
  readonly passedOver: () => PassedOver;
  /** Whether the store of the joining process is older than what an earlier process of its node acknowledged. */
  readonly isRolledBack: (process: DiscoveryNode, request: JoinRequest) => boolean;
  readonly joinTimeoutMs: number;
  readonly committedIndex: () => number;
  /** Whether the node with this Raft id is known to hold the log up to `index`. */
  readonly holds: (raftId: number, index: number) => boolean;
  /** Called when a node repeats its request with an empty log although it is already being fed: its snapshot was lost. */
  readonly foundEmpty: (raftId: number) => void;
  /** Called when the set of joining nodes changes: Raft's learners follow it. */
  readonly joiningChanged: () => void;
}

/** Admission of one term; nodes that were joining repeat their request to the next elected cluster manager. */
export interface Admission {
  /** Raft ids of nodes that are fed the log and not members yet, by node id. */
  readonly joining: ReadonlyMap<NodeId, number>;
  /** The encoded `JoinResponse`. Rejects with `OperationError` when the node is refused. */
  join(request: JoinRequest): Promise<Uint8Array>;
  /** Proposes `node-join` for each joining node that has caught up. Called whenever match indices may have advanced. */
  progressed(): void;
  /**
   * Ends the admission of a node whose connection is lost and that is still catching up: its next leader check is
   * rejected, so it repeats its request at once instead of after `cluster.join.timeout`.
   */
  disconnected(node: DiscoveryNode): void;
  end(): void;
}

/** A node between its accepted request and its `node-join`. */
interface Joining {
  readonly node: DiscoveryNode;
  readonly raftId: number;
  readonly clusterUuid: string;
  cancel: CancelTimer;
  /**
   * Commit index at the first request. The node has caught up when it holds the log up to here; the commit index of
   * the moment would be a moving target that a slow node never reaches under steady changes.
   */
  readonly index: number;
  /** Applied index of the node at its last request. */
  appliedIndex: number;
  isProposed: boolean;
}

/** Admission without joining nodes. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { clock, runner, applied } = options;
  const entries = new Map<NodeId, Joining>();
  const joining = new Map<NodeId, number>();
  const raftIdOf = createRaftIds(runner, applied);

  const forget = (nodeId: NodeId): void => {
    entries.get(nodeId)?.cancel();
    entries.delete(nodeId);
    joining.delete(nodeId);
  };

  /**
   * Starts the admission, or renews that of the same process under the same Raft id. A node that stops repeating its
   * request is dropped after `cluster.join.timeout`, and its learner with it.
   */
  const admit = (
    { clusterUuid, hasLog, appliedIndex }: JoinRequest,
    node: DiscoveryNode,
    raftId: number,
  ): void => {
    const cancel = clock.setTimer(options.joinTimeoutMs, () => {
      forget(node.id);
      options.joiningChanged();
    });
    const known = entries.get(node.id);
    known?.cancel();
    if (known?.node.ephemeralId === node.ephemeralId && known.raftId === raftId) {
      known.cancel = cancel;
      known.appliedIndex = appliedIndex;
      // Raft sends no entries while it waits for the outcome of a snapshot: it must learn that this one did not arrive.
      if (!hasLog) options.foundEmpty(raftId);
    } else {
      const index = options.committedIndex();
      const entry = { node, raftId, clusterUuid, cancel, index, appliedIndex, isProposed: false };
      entries.set(node.id, entry);
      joining.set(node.id, raftId);
    }
    options.joiningChanged();
  };

  /**
   * Whether the node has applied past every entry that this node skips, as of its last request. Only then has
   * `validateSkipped` compared all skipped entries: an earlier request could not show what the node would apply.
   */
  const hasReportedSkipped = ({ appliedIndex }: Joining): boolean =>
    options.passedOver().skipped.every(({ index }) => index <= appliedIndex);

  const propose = (entry: Joining): void => {
    entry.isProposed = true;
    const { node, clusterUuid } = entry;
    const done = runner.enqueue(
      membershipWork({
        kind: "node-join",
        node,
        nowMs: clock.nowMs(),
        ...(clusterUuid === "" ? {} : { clusterUuid }),
      }),
    );
    const end = (): void => {
      if (entries.get(node.id) === entry) forget(node.id);
    };
    // On rejection, or when the term ends, the node finds itself no member and repeats its request.
    done.then(end, end);
  };

  return {
    joining,
    async join(request) {
      const node = decodeNode(request.node);
      const { clusterUuid } = request;
      // Before anything is written to the log: a refused node must leave no trace in the state.
      validate(options, node, clusterUuid);
      validateSkipped(options, node, request);
      await connectBack(options.links, node);
      const isRolledBack = options.isRolledBack(node, request);
      const raftId = await raftIdOf(node, request.isLogLost || isRolledBack);
      // Again, because the state may have changed during the two awaits: a node of the same name may have joined, or
      // the zone may have been decommissioned. The reducer of `node-join` checks a third time, in the log's order.
      validate(options, node, clusterUuid);
      admit(request, node, raftId);
      return JoinResponse.encode({
        raftId,
        managerRaftId: options.selfRaftId,
        isRolledBack,
        clusterUuid: applied().metadata.clusterUuid,
      }).finish();
    },
    progressed() {
      for (const entry of entries.values()) {
        if (entry.isProposed || !hasReportedSkipped(entry)) continue;
        if (options.holds(entry.raftId, entry.index)) propose(entry);
      }
    },
    disconnected({ id, ephemeralId }) {
      const entry = entries.get(id);
      if (entry === undefined || entry.isProposed || entry.node.ephemeralId !== ephemeralId) return;
      forget(id);
    },
    end() {
      for (const nodeId of [...entries.keys()]) forget(nodeId);
    },
  };
}

function validate(
  { applied, links }: AdmissionOptions,
  node: DiscoveryNode,
  clusterUuid: string,
): void {
  const isConnected = (id: NodeId): boolean =>
    links.connected.has(id) || id === applied().managerNodeId;
  const problem = refuseJoin(applied(), { node, clusterUuid }, isConnected);
  if (problem !== undefined) throw new OperationError(problem);
}

/** INV-COORD-3 for skipped entries: at equal log index two states are equal only if both nodes skipped the same entries. */
function validateSkipped(
  { passedOver }: AdmissionOptions,
  node: DiscoveryNode,
  { skipped, appliedIndex }: JoinRequest,
): void {
  const theirs = { skipped: readPositions(skipped), appliedIndex };
  const differing = differentlySkipped(passedOver(), theirs);
  if (differing.length > 0) throw new OperationError(otherStateProblem(node, differing));
}

/** A connection back to the joining node: the log is sent over it, and its handshake proves which process is at the address. */
async function connectBack(links: Links, node: DiscoveryNode): Promise<void> {
  const there = await links.connect(node.transportAddress);
  if (isProblem(there)) throw new OperationError({ ...there, isRetryable: true });
  if (there.ephemeralId === node.ephemeralId) return;
  const reason = `handshake with [${node.transportAddress}] found ${describeNode(there)} instead of ${describeNode(node)}`;
  throw new OperationError({ type: "connect_transport_exception", reason, status: 500 });
}

/**
 * Raft ids for joining processes. INV-STORE-2: everything acknowledged under a Raft id must be in the store of the
 * process that votes under it, so a process that lost part of its log gets a new id, and the old id never answers
 * again.
 */
function createRaftIds(
  runner: TaskRunner,
  applied: () => ClusterState,
): (node: DiscoveryNode, isLogLost: boolean) => Promise<number> {
  /**
   * By ephemeral id: the Raft id that replaced a lost one. The process repeats its request, still reporting the loss,
   * until it has received and stored the answer; each repetition must get the same id.
   */
  const renewed = new Map<string, number>();
  const assign = async (nodeId: NodeId, replaces?: number): Promise<number> => {
    const { state } = await runner.enqueue(
      membershipWork({
        kind: "assign-raft-id",
        nodeId,
        ...(replaces === undefined ? {} : { replaces }),
      }),
    );
    return defined(state.metadata.coordination.raftIds.get(nodeId), "an assigned Raft id");
  };
  return async (node, isLogLost) => {
    const known = applied().metadata.coordination.raftIds.get(node.id);
    if (known === undefined) return assign(node.id);
    if (!isLogLost || renewed.get(node.ephemeralId) === known) return known;
    const raftId = await assign(node.id, known);
    renewed.set(node.ephemeralId, raftId);
    return raftId;
  };
}

function membershipWork(task: Task): NewWork {
  return {
    work: { kind: "task", id: "", task },
    priority: priorityOf(task),
    source: sourceOf(task),
    batch: "membership",
  };
}

function otherStateProblem(node: DiscoveryNode, differing: readonly Position[]): Problem {
  const entries = differing.map(({ index, term }) => `${index} of term ${term}`).join(", ");
  return {
    type: "coordination_state_rejected_exception",
    reason: `node ${describeNode(node)} and the elected cluster manager did not pass over the same entries of the cluster state's log: they differ in [${entries}]. Give [orrery node repair --skip-entry] on every node, or have this one hold the log anew with [--rejoin]`,
    status: 500,
  };
}
