/**
 * Handlers of the role's transport actions. Most of them answer `not_cluster_manager_exception` unless this node's term
 * as the elected cluster manager has begun; the sender then retries on the next one.
 */
import { explain, parseCommands } from "@orrery/allocation";
import {
  clusterHealth,
  describeNode,
  encodeState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import { BlobError, type Host, type Transport } from "@orrery/ports";
import {
  actions,
  decodeNode,
  FollowerCheckRequest,
  FollowerCheckResponse,
  JoinRequest,
  LeaderCheckRequest,
  ManagerRequest,
  ManagerResponse,
  ReadIndexResponse,
  ShardFailedRequest,
  ShardStartedRequest,
  StateApplied,
  SubmitTaskResponse,
  readWireObject,
  readWireProblem,
  wireJson,
} from "@orrery/protocol";
import { blobProblem } from "@orrery/repository";
import {
  defined,
  emptyBytes,
  newUuid,
  OperationError,
  type AllocationId,
  type JsonObject,
  type Random,
} from "@orrery/stdx";
import { completeTask } from "./complete-task.ts";
import type { ElectedTerm } from "./elected.ts";
import type { Member } from "./member.ts";
import { batchOf, priorityOf } from "./priorities.ts";
import { notElected } from "./problems.ts";
import type { Reads } from "./reads.ts";
import { snapshotActions } from "./snapshots/service.ts";
import { detached } from "@orrery/ports";
import type { Submission } from "./submission.ts";
import { readSubmittedTask, type SubmittedTask } from "./submitted-task.ts";
import type { Answer } from "./task-runner.ts";
import type { DecommissionRequest, ExplainAllocationRequest, RerouteRequest } from "./types.ts";

export interface HandlersOptions {
  readonly host: Host;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly member: Member;
  readonly reads: Reads;
  readonly submission: Submission;
  /** The term that this node serves; undefined while it is not elected. */
  readonly elected: () => ElectedTerm | undefined;
}

/** Registers all handlers, once, when the role is created. */
export function registerHandlers(options: HandlersOptions): void {
  registerTasks(options);
  registerReports(options);
  registerManagerRequests(options);
  registerChecks(options);
  registerSnapshots(options);
}

function electedOf({ elected, localNode }: HandlersOptions): ElectedTerm {
  const term = elected();
  if (term === undefined) {
    throw notElected(`node [${describeNode(localNode)}] is not the elected cluster manager`);
  }
  return term;
}

/** Submission of tasks: to the elected cluster manager (`managerTask`), and through any node (`submitTask`, for shard workers). */
function registerTasks(options: HandlersOptions): void {
  const { transport, member, submission } = options;
  /** Answers under way by task id: a task that is submitted again while it waits or is in flight shares the answer. */
  const underWay = new Map<string, Promise<Pick<Answer, "index" | "version">>>();

  const run = (
    term: ElectedTerm,
    request: SubmittedTask,
  ): Promise<Pick<Answer, "index" | "version">> => {
    const { id, source, task: submitted, managerTimeoutMs } = request;
    // INV-COORD-4: a task that this or a former cluster manager committed is answered from the log, and not proposed
    // again. Committed entries of former terms are all applied here, because the term begins after them.
    const done = member.log.find(id);
    if (done !== undefined) return Promise.resolve(done);
    const known = underWay.get(id);
    if (known !== undefined) return known;
    const task = completeTask(submitted, term.nodeSettings);
    const answer = term.runner.enqueue({
      work: { kind: "task", id, task },
      priority: request.priority ?? priorityOf(task),
      source,
      batch: batchOf(task),
      timeoutMs: managerTimeoutMs,
    });
    underWay.set(id, answer);
    const forget = (): void => void underWay.delete(id);
    answer.then(forget, forget);
    return answer;
  };

  transport.handle(actions.managerTask, async (payload) => {
    const term = electedOf(options);
    const request = readSubmittedTask(payload);
    // Two waits with limits of their own: the queue and the commit, then the application on all nodes.
    const { index, version } = await run(term, request);
    const acknowledged = await term.acknowledgements.wait(index, request.ackTimeoutMs);
    return SubmitTaskResponse.encode({ acknowledged, index, version }).finish();
  });

  transport.handle(actions.submitTask, async (payload, context) => {
    const { task, source, priority, managerTimeoutMs, ackTimeoutMs } = readSubmittedTask(payload);
    const submitted = await submission.under(detached(context)).submit(task, {
      managerTimeoutMs,
      ackTimeoutMs,
      ...(source === "" ? {} : { source }),
      ...(priority === undefined ? {} : { priority }),
    });
    return SubmitTaskResponse.encode(submitted).finish();
  });
}

/** Reports of data nodes about shard copies, and of all nodes about their applied index. */
function registerReports(options: HandlersOptions): void {
  const { transport } = options;

  transport.handle(actions.shardStarted, async (payload) => {
    const term = electedOf(options);
    const report = ShardStartedRequest.decode(payload);
    // Stored copies of the shard have changed: the next allocation of it must not rest on the old answers.
    term.stores.invalidate(report.index, report.shard);
    const source = `shard-started StartedShardEntry{shardId [[${report.index}][${report.shard}]], allocationId [${report.allocationId}], primary term [${report.primaryTerm}], message [${report.message}]}`;
    const work = { kind: "shard-started", report } as const;
    await term.runner.enqueue({ work, priority: "URGENT", source, batch: "routing" });
    return emptyBytes;
  });

  transport.handle(actions.shardFailed, async (payload) => {
    const term = electedOf(options);
    const report = ShardFailedRequest.decode(payload);
    term.stores.invalidate(report.index, report.shard);
    const source = `shard-failed FailedShardEntry{shardId [[${report.index}][${report.shard}]], allocationId [${report.allocationId}], primary term [${report.primaryTerm}], message [${report.message}], markAsStale [${report.markAsStale}]}`;
    const problem = report.problem === null ? undefined : readWireProblem(report.problem);
    const work = { kind: "shard-failed", report, problem } as const;
    const failed = { work, priority: "HIGH", source, batch: "routing" } as const;
    const { state } = await term.runner.enqueue(failed);
    // The round that failed the copy does not assign it to the same node again; a later reroute may.
    const { unassignedShards } = clusterHealth(state);
    if (unassignedShards > 0)
      term.reroute(`[${unassignedShards}] unassigned shards after failing shards`);
    return emptyBytes;
  });

  transport.handleOneWay(
    actions.stateApplied,
    (payload) => StateApplied.decode(payload),
    ({ index }, { from }) => options.elected()?.acknowledgements.report(from, index),
  );
}

/** Requests that nodes make on behalf of clients: read index, reroute, explanation, decommission, pending tasks. */
function registerManagerRequests(options: HandlersOptions): void {
  const { transport, host, random, member, reads } = options;

  transport.handle(actions.readIndex, async () => {
    electedOf(options);
    const index = await reads.safeIndex(defined(member.consensus, "a member of the cluster"));
    return ReadIndexResponse.encode({ index }).finish();
  });

  transport.handle(actions.reroute, async (payload) => {
    const term = electedOf(options);
    const body = readWireObject(ManagerRequest.decode(payload).body) as RerouteRequest;
    const { dryRun, retryFailed } = body;
    // Copies that could not be opened may be readable by now: with `retry_failed` their nodes are asked again.
    if (retryFailed && !dryRun) term.stores.retry();
    const answer = await term.runner.enqueue({
      work: {
        kind: "commands",
        commands: parseCommands({ commands: body.commands }),
        options: { explain: body.explain, retryFailed },
        dryRun,
      },
      priority: "IMMEDIATE",
      source: "cluster_reroute (api)",
      batch: undefined,
      timeoutMs: body.managerTimeoutMs,
    });
    const acknowledged = await term.acknowledgements.wait(answer.index, body.ackTimeoutMs);
    return ManagerResponse.encode({
      body: wireJson(answer.explanations),
      state: encodeState(answer.state),
      acknowledged,
      index: answer.index,
    }).finish();
  });

  transport.handle(actions.explainAllocation, async (payload) => {
    const term = electedOf(options);
    const body = readWireObject(ManagerRequest.decode(payload).body) as ExplainAllocationRequest;
    const { target, includeYesDecisions, includeDiskInfo } = body;
    const inputs = {
      nowMs: host.clock.nowMs(),
      newAllocationId: () => newUuid(random) as AllocationId,
      nodeSettings: term.nodeSettings,
      shardStores: term.stores.known,
      info: term.info,
      waitedMs: term.waitedMs,
    };
    const explained = explain(member.log.state, inputs, target, {
      includeYesDecisions,
      includeDiskInfo,
    });
    return ManagerResponse.encode({ body: wireJson(explained) }).finish();
  });

  transport.handle(actions.decommission, async (payload) => {
    const term = electedOf(options);
    const body = readWireObject(ManagerRequest.decode(payload).body) as DecommissionRequest;
    await term.decommission(body);
    return ManagerResponse.encode({ acknowledged: true }).finish();
  });

  transport.handle(actions.pendingTasks, async () => {
    const tasks = electedOf(options).runner.pendingTasks();
    return ManagerResponse.encode({ body: wireJson(tasks) }).finish();
  });
}

/** Requests about repositories and snapshots. Each answer waits until every node has applied the state on which it rests. */
function registerSnapshots(options: HandlersOptions): void {
  const { transport, member } = options;
  for (const [action, answer] of Object.entries(snapshotActions)) {
    transport.handle(action, async (payload) => {
      const term = electedOf(options);
      const { ackTimeoutMs, ...request } = readWireObject(
        ManagerRequest.decode(payload).body,
      ) as JsonObject & { readonly ackTimeoutMs?: number };
      const body = await answer(term.snapshots, request as never).catch((error: unknown) => {
        // A blob store that cannot be listed or written; problems with more context were thrown as `OperationError`.
        throw error instanceof BlobError ? new OperationError(blobProblem(error)) : error;
      });
      const { index } = member.log;
      const acknowledged = await term.acknowledgements.wait(index, ackTimeoutMs ?? 30_000);
      return ManagerResponse.encode({ body: wireJson(body), acknowledged, index }).finish();
    });
  }
}

/** Join requests, and the checks between the elected cluster manager and the members, in both directions. */
function registerChecks(options: HandlersOptions): void {
  const { transport, host, localNode, member } = options;

  transport.handle(actions.join, async (payload) =>
    electedOf(options).admission.join(JoinRequest.decode(payload)),
  );

  transport.handle(actions.followerCheck, async (payload) => {
    const { term } = FollowerCheckRequest.decode(payload);
    if (member.isHalted) throw unhealthy();
    // A former leader learns from the rejection that its term is over, and must not count this node as its member.
    const current = member.consensus?.term ?? 0;
    if (term < current) {
      throw rejected(
        `rejecting FollowerCheckRequest of term [${term}]: this node is in term [${current}]`,
      );
    }
    const usage = host.disk.usage();
    return FollowerCheckResponse.encode({
      appliedIndex: member.log.index,
      ephemeralId: localNode.ephemeralId,
      dataPath: host.process.dataPath,
      diskTotalBytes: usage.totalBytes,
      diskFreeBytes: usage.availableBytes,
    }).finish();
  });

  transport.handle(actions.leaderCheck, async (payload) => {
    const node = decodeNode(LeaderCheckRequest.decode(payload).node);
    const term = options.elected();
    // Elected, but its term has not begun: the members that it will have are not known yet, and a rejection would make
    // the sender look for another cluster manager.
    if (term === undefined && member.consensus?.isElected === true) return emptyBytes;
    if (term === undefined) {
      throw rejected(
        `rejecting leader check from ${describeNode(node)} sent to a node that is no longer the cluster-manager`,
      );
    }
    if (!isMember(member, node) && !term.admission.joining.has(node.id)) {
      throw rejected(
        `rejecting leader check since [${describeNode(node)}] has been removed from the cluster`,
      );
    }
    return emptyBytes;
  });
}

/** Whether this process of the node is in the applied state. */
function isMember(member: Member, node: DiscoveryNode): boolean {
  return member.log.state.nodes.get(node.id)?.ephemeralId === node.ephemeralId;
}

/** Answer of a halted node, in the product's words: it cannot store or apply the cluster state, and is removed. */
function unhealthy(): OperationError {
  return new OperationError({
    type: "node_health_check_failure_exception",
    reason: "handleFollowerCheck: node is unhealthy [UNHEALTHY], rejecting health check failed",
    status: 500,
  });
}

function rejected(reason: string): OperationError {
  return new OperationError({
    type: "coordination_state_rejected_exception",
    reason,
    status: 500,
  });
}
