/** Answers of a node about itself: `_nodes` (information) and `_nodes/stats` (counters). */
import { copiesOn, type ClusterState, type Settings } from "@orrery/cluster-state";
import type { IndexingPressureCounts } from "@orrery/coordinator";
import { underContext, type Host, type RequestContext, type Transport } from "@orrery/ports";
import {
  actions,
  NodeRequest,
  NodeResponse,
  ShardAdminRequest,
  ShardAdminResponse,
  readWireObject,
  wireJson,
} from "@orrery/protocol";
import {
  OperationError,
  problemJson,
  problemOf,
  type Json,
  type JsonObject,
  type NodeId,
  type PoolCounts,
} from "@orrery/stdx";
import type { NodeBodies, NodeInfoFacts, NodesAnswer, NodeStatsFacts } from "./cluster.ts";
import { productVersion, type BoundAddresses } from "./config.ts";
import { readSections } from "./node-sections.ts";
import type { PluginNode } from "./plugin.ts";
import type { Product } from "./product.ts";

export interface FactsDeps {
  readonly host: Host;
  readonly transport: Transport;
  readonly settings: Settings;
  readonly product: Product;
  readonly pluginNode: () => PluginNode;
  readonly maxContentLengthBytes: number;
  readonly boundAddresses: BoundAddresses | undefined;
  state(): ClusterState;
  searchedNodes(): NonNullable<NodeStatsFacts["adaptiveSelection"]>;
  failOpenCount(): number;
  indexingPressure(): IndexingPressureCounts;
  threadPools(): Readonly<Record<string, PoolCounts>>;
  readonly transportCounts: () => NonNullable<NodeStatsFacts["transport"]>;
  /** `undefined`: the node has no HTTP server. */
  readonly httpCounts: () => NodeStatsFacts["http"];
}

/** Registers the handlers by which this node answers `_nodes` and `_nodes/stats`. */
export function answerFacts(deps: FactsDeps): void {
  deps.transport.handle(actions.nodeInfo, async (payload) =>
    encodeBody(await nodeInfo(deps, metricsIn(payload))),
  );
  deps.transport.handle(actions.nodeStats, async (payload, context) =>
    encodeBody(await nodeStats(deps, metricsIn(payload), context)),
  );
}

function metricsIn(payload: Uint8Array): readonly string[] {
  const { metrics } = readWireObject(NodeRequest.decode(payload).parameters) as {
    readonly metrics: readonly string[];
  };
  return metrics;
}

/** Asks each node; nodes that fail or do not answer in time are listed with their problem. */
export async function askNodes<Name extends keyof NodeBodies>(
  transport: Transport,
  nodeIds: readonly NodeId[],
  name: Name,
  parameters: Json,
): Promise<NodesAnswer<NodeBodies[Name]>> {
  const payload = NodeRequest.encode({ parameters: wireJson(parameters) }).finish();
  const nodes: { nodeId: NodeId; body: NodeBodies[Name] }[] = [];
  const failures: { nodeId: NodeId; problem: JsonObject }[] = [];
  const results = nodeIds.map(async (nodeId) => {
    const limits = { timeoutMs: NODE_TIMEOUT_MS };
    const bytes = await transport.request(nodeId, actions[name], payload, limits);
    // Nodes have the same version, and so the same body.
    return readWireObject(NodeResponse.decode(bytes).body) as NodeBodies[Name];
  });
  // In the order in which the nodes were asked, not in which they answered.
  for (const [i, result] of (await Promise.allSettled(results)).entries()) {
    const nodeId = nodeIds[i];
    if (nodeId === undefined) continue;
    if (result.status === "fulfilled") nodes.push({ nodeId, body: result.value });
    else failures.push({ nodeId, problem: problemJson(problemOf(result.reason)) });
  }
  return { nodes, failures };
}

const NODE_TIMEOUT_MS = 30_000;

async function nodeInfo(deps: FactsDeps, metrics: readonly string[]): Promise<NodeInfoFacts> {
  const { host, settings, product, maxContentLengthBytes, boundAddresses } = deps;
  const { infoSections: sections, plugins } = product;
  const { pid, startedAtMs, os, runtime } = host.process;
  const heapMaxBytes = host.process.stats().heapMaxBytes;
  return {
    settings,
    process: { pid, startedAtMs, os, runtime, heapMaxBytes },
    maxContentLengthBytes,
    ...(boundAddresses === undefined ? {} : { boundAddresses }),
    plugins: plugins.map(({ name, description, classname }) => ({
      name,
      version: `${productVersion}.0`,
      description,
      classname,
    })),
    ...(sections.size === 0
      ? {}
      : { sections: await readSections(sections, metrics, deps.pluginNode()) }),
  };
}

async function nodeStats(
  deps: FactsDeps,
  metrics: readonly string[],
  context: RequestContext,
): Promise<NodeStatsFacts> {
  const { host, product } = deps;
  const http = deps.httpCounts();
  const wantsShards =
    metrics.length === 0 || metrics.some((metric) => metric === "indices" || metric === "_all");
  return {
    timestampMs: host.clock.nowMs(),
    process: { ...host.process.stats() },
    shards: wantsShards ? await shardStats(deps, context) : [],
    transport: deps.transportCounts(),
    ...(http === undefined ? {} : { http }),
    adaptiveSelection: deps.searchedNodes(),
    threadPools: poolStats(deps.threadPools()),
    sections: {
      weighted_routing: { stats: { fail_open_count: deps.failOpenCount() } },
      indexing_pressure: pressureStats(deps.indexingPressure()),
      ...(await readSections(product.statsSections, metrics, deps.pluginNode())),
    },
    disk: {
      path: host.process.dataPath,
      mount: host.process.dataPath,
      type: "ext4",
      ...host.disk.usage(),
    },
  };
}

/** Only coordinated writes are counted; those of the node's copies are not. */
function pressureStats(counts: IndexingPressureCounts): JsonObject {
  const section = (bytes: number): JsonObject => ({
    combined_coordinating_and_primary_in_bytes: bytes,
    coordinating_in_bytes: bytes,
    primary_in_bytes: 0,
    replica_in_bytes: 0,
    all_in_bytes: bytes,
  });
  const { currentBytes, totalBytes, rejections, limitBytes } = counts;
  const rejected = {
    coordinating_rejections: rejections,
    primary_rejections: 0,
    replica_rejections: 0,
  };
  return {
    memory: {
      current: section(currentBytes),
      total: { ...section(totalBytes), ...rejected },
      limit_in_bytes: limitBytes,
    },
  };
}

function poolStats(
  counts: Readonly<Record<string, PoolCounts>>,
): NonNullable<NodeStatsFacts["threadPools"]> {
  const entries = Object.entries(counts).map(([name, pool]) => {
    const { largest, queue, active, rejected, completed } = pool;
    return [name, { threads: largest, queue, active, rejected, largest, completed }] as const;
  });
  return Object.fromEntries(entries);
}

/** Asks the node's shard workers under the caller's context, so that guards of shards see the caller. */
async function shardStats(
  { transport, state }: FactsDeps,
  context: RequestContext,
): Promise<NodeStatsFacts["shards"]> {
  const asking = underContext(transport, context);
  const now = state();
  const copies = copiesOn(now, transport.localNodeId);
  const answers = await Promise.all(
    copies.map(async (copy) => {
      const indexUuid = now.metadata.indices.get(copy.index)?.uuid ?? "";
      const payload = ShardAdminRequest.encode({
        index: copy.index,
        indexUuid,
        shard: copy.shard,
        allocationId: copy.allocationId ?? "",
        parameters: wireJson({}),
      }).finish();
      try {
        const bytes = await asking.request(transport.localNodeId, actions.shardStats, payload, {
          shard: `${indexUuid}/${copy.shard}`,
        });
        return [
          { copy, stats: readWireObject(ShardAdminResponse.decode(bytes).body) as JsonObject },
        ];
      } catch (error) {
        // A copy that is not open has no counters, and one that a guard refuses is left out.
        if (!(error instanceof OperationError)) throw error;
        return [];
      }
    }),
  );
  return answers
    .flat()
    .map(({ copy: { index, shard, primary, state: shardState, relocatingNodeId }, stats }) => ({
      index,
      shard,
      primary,
      state: shardState,
      ...(relocatingNodeId === undefined ? {} : { relocatingNodeId }),
      stats,
    }));
}

function encodeBody(body: NodeInfoFacts | NodeStatsFacts): Uint8Array {
  return NodeResponse.encode({ body: wireJson(body) }).finish();
}
