/**
 * How the elected cluster manager lets a node in: validates it, gives it a Raft id, has it fed the log as a learner, and
 * when it has caught up proposes `node-join`.
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
  /** Of this node. */
  readonly passedOver: () => PassedOver;
  /** The asking process found less in its store than an earlier one had acknowledged. */
  readonly isRolledBack: (process: DiscoveryNode, request: JoinRequest) => boolean;
  readonly joinTimeoutMs: number;
  readonly committedIndex: () => number;
  /** The node with this Raft id is known to hold the log up to here. */
  readonly holds: (raftId: number, index: number) => boolean;
  /** The node with this Raft id has nothing of the log, although it has been fed for a while. */
  readonly foundEmpty: (raftId: number) => void;
  /** Other nodes are to be fed now. */
  readonly joiningChanged: () => void;
}

export interface Admission {
  /** Nodes that are fed the log and not members yet, by node id. */
  readonly joining: ReadonlyMap<NodeId, number>;
  join(request: JoinRequest): Promise<Uint8Array>;
  /** Members may have come closer to the end of the log. */
  progressed(): void;
  /**
   * The link to a node is lost. Of a node that still catches up nothing is heard any more: its admission ends, its next leader check is
   * rejected, and it asks again, instead of waiting for `cluster.join.timeout`.
   */
  disconnected(node: DiscoveryNode): void;
  end(): void;
}

interface Joining {
  readonly node: DiscoveryNode;
  readonly raftId: number;
  readonly clusterUuid: string;
  cancel: CancelTimer;
  /** Where the log stood when it was first admitted: the log goes on, and nobody catches up with it while it does. */
  readonly index: number;
  /** How far the node's state was when it last asked. */
  appliedIndex: number;
  isProposed: boolean;
}

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
      if (!hasLog) options.foundEmpty(raftId);
    } else {
      const index = options.committedIndex();
      const entry = { node, raftId, clusterUuid, cancel, index, appliedIndex, isProposed: false };
      entries.set(node.id, entry);
      joining.set(node.id, raftId);
    }
    options.joiningChanged();
  };

  /** Entries that a node passed over are known once its state has come so far, and it has asked once more. */
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
    // Refused after all, or lost with the term: the node sees that it is no member, and asks again.
    done.then(end, end);
  };

  return {
    joining,
    async join(request) {
      const node = decodeNode(request.node);
      const { clusterUuid } = request;
      validate(options, node, clusterUuid);
      validateSkipped(options, node, request);
      await connectBack(options.links, node);
      const isRolledBack = options.isRolledBack(node, request);
      const raftId = await raftIdOf(node, request.isLogLost || isRolledBack);
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

/** Equal indices mean equal states only where the same entries were passed over. */
function validateSkipped(
  { passedOver }: AdmissionOptions,
  node: DiscoveryNode,
  { skipped, appliedIndex }: JoinRequest,
): void {
  const theirs = { skipped: readPositions(skipped), appliedIndex };
  const differing = differentlySkipped(passedOver(), theirs);
  if (differing.length > 0) throw new OperationError(otherStateProblem(node, differing));
}

/** A node that is to be sent a log must be reachable from here, and be who it says. */
async function connectBack(links: Links, node: DiscoveryNode): Promise<void> {
  const there = await links.connect(node.transportAddress);
  if (isProblem(there)) throw new OperationError({ ...there, isRetryable: true });
  if (there.ephemeralId === node.ephemeralId) return;
  const reason = `handshake with [${node.transportAddress}] found ${describeNode(there)} instead of ${describeNode(node)}`;
  throw new OperationError({ type: "connect_transport_exception", reason, status: 500 });
}

/** The id under which a process may hold the log; what was acknowledged under it is what the process has. */
function createRaftIds(
  runner: TaskRunner,
  applied: () => ClusterState,
): (node: DiscoveryNode, isLogLost: boolean) => Promise<number> {
  /** By process: the Raft id it got in place of one whose log it lost. It asks again until it has heard of it. */
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
