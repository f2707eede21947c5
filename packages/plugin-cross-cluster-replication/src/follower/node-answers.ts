/**
 * Requests between nodes for status and statistics: each node reports the tasks that it runs and the leader shards
 * that it holds.
 */
import { copiesOn, isActive } from "@orrery/cluster-state";
import type { PluginNode } from "@orrery/node";
import {
  actions as coreActions,
  NodeRequest,
  NodeResponse,
  ShardAdminRequest,
  ShardAdminResponse,
  readWireJson,
  readWireObject,
  wireJson,
} from "@orrery/protocol";
import { OperationError, utf8Decode, type JsonObject } from "@orrery/stdx";
import { actions } from "../actions.ts";
import type { LeaderShardStats } from "../shard/status.ts";
import type { Runner, RunningRule, RunningShard } from "./runner.ts";

/** State of one follower shard on one node: its running task, or the recovery of its primary. */
export interface ShardStatus {
  readonly shard: number;
  readonly running?: RunningShard;
  /** The primary's recovery, in the form of `_recovery`. */
  readonly recovery?: JsonObject;
}

/** Counters of a rule with its map as a list, so that they can be sent. */
export type RuleStatus = Omit<RunningRule, "progress"> & {
  readonly progress: Omit<RunningRule["progress"], "failed"> & {
    readonly failed: readonly string[];
  };
};

const TIMEOUT_MS = 10_000;
const FOLLOWED_WITHIN_MS = 300_000;

/** Registers the handlers of this node. */
export function answerAboutTasks(node: PluginNode, runner: Runner): void {
  const { transport } = node;
  transport.handle(actions.shardStatus, async (payload) => {
    const { index } = parametersOf(payload) as { readonly index: string };
    return encode(await shardStatuses(node, runner, index));
  });
  transport.handle(actions.followerStats, async () => encode(runner.shards()));
  transport.handle(actions.leaderStats, async () => encode(await leaderShards(node)));
  transport.handle(actions.autoFollowStats, async () => {
    const rules = runner.rules().map(({ progress, ...rule }): RuleStatus => {
      return { ...rule, progress: { ...progress, failed: [...progress.failed.keys()] } };
    });
    return encode(rules);
  });
}

/** Responses of all nodes that answer; a node that does not answer contributes nothing. */
export async function askNodes<Answer>(
  { cluster, transport }: PluginNode,
  action: string,
  parameters: JsonObject,
): Promise<readonly Answer[]> {
  const payload = NodeRequest.encode({ parameters: wireJson(parameters) }).finish();
  const nodes = [...cluster.state().nodes.keys()];
  const answers = await Promise.all(
    nodes.map(async (nodeId) => {
      try {
        const bytes = await transport.request(nodeId, action, payload, { timeoutMs: TIMEOUT_MS });
        return readWireJson(NodeResponse.decode(bytes).body) as readonly Answer[];
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        return [];
      }
    }),
  );
  return answers.flat();
}

async function shardStatuses(
  node: PluginNode,
  runner: Runner,
  index: string,
): Promise<readonly ShardStatus[]> {
  const { cluster, transport } = node;
  const state = cluster.state();
  const uuid = state.metadata.indices.get(index)?.uuid ?? "";
  const running = runner.shards().filter(({ follower }) => follower === index);
  const primaries = copiesOn(state, transport.localNodeId).filter(
    (copy) => copy.index === index && copy.primary,
  );
  const recoveries = await Promise.all(
    primaries.map(async ({ shard, allocationId = "" }): Promise<ShardStatus> => {
      const admin = { index, indexUuid: uuid, shard, allocationId, parameters: wireJson({}) };
      const payload = ShardAdminRequest.encode(admin).finish();
      const answer = await askShard(node, coreActions.shardRecovery, `${uuid}/${shard}`, payload);
      if (answer === undefined) return { shard };
      const recovery = readWireObject(ShardAdminResponse.decode(answer).body) as JsonObject;
      return { shard, recovery };
    }),
  );
  return [
    ...recoveries,
    ...running.map((one): ShardStatus => ({ shard: one.shard, running: one })),
  ];
}

/** Leader shards on this node that a follower holds a lease on and has read from within five minutes. */
async function leaderShards(node: PluginNode): Promise<readonly LeaderShardStats[]> {
  const { cluster, transport } = node;
  const state = cluster.state();
  const primaries = copiesOn(state, transport.localNodeId).filter(
    (copy) => copy.primary && isActive(copy),
  );
  const nowMs = cluster.clock.nowMs();
  const answers = await Promise.all(
    primaries.map(async ({ index, shard }) => {
      const key = `${state.metadata.indices.get(index)?.uuid ?? ""}/${shard}`;
      const answer = await askShard(node, actions.leaderShard, key, new Uint8Array(0));
      if (answer === undefined) return [];
      const stats = JSON.parse(utf8Decode(answer)) as LeaderShardStats;
      const isRead = stats.lastReadAtMs > 0 && nowMs - stats.lastReadAtMs <= FOLLOWED_WITHIN_MS;
      return stats.isFollowed && isRead ? [stats] : [];
    }),
  );
  return answers.flat();
}

/** Response of a local copy; `undefined` when the copy is not open. */
async function askShard(
  { transport }: PluginNode,
  action: string,
  shard: string,
  payload: Uint8Array,
): Promise<Uint8Array | undefined> {
  try {
    const options = { shard, timeoutMs: TIMEOUT_MS };
    return await transport.request(transport.localNodeId, action, payload, options);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return undefined;
  }
}

function parametersOf(payload: Uint8Array): unknown {
  return readWireObject(NodeRequest.decode(payload).parameters);
}

function encode(answers: readonly unknown[]): Uint8Array {
  return NodeResponse.encode({ body: wireJson(answers) }).finish();
}
