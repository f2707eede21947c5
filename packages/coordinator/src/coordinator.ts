/**
 * The coordinator of one node: state that all requests share (replica selection, indexing pressure), and dependencies
 * bound to the context of one request.
 */
import { scriptSettingsOf, withNodeSettings } from "@orrery/cluster-state";
import { underContext, type RequestContext } from "@orrery/ports";
import { ScriptCompiler } from "@orrery/query";
import type { NodeId } from "@orrery/stdx";
import type { CoordinatorState } from "./coordinator-requests.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { createIndexingPressure, type IndexingPressureCounts } from "./indexing-pressure.ts";
import { createReplicaSelection } from "./replica-selection.ts";
import type { SearchedNodes } from "./types.ts";

export type { CoordinatorDeps } from "./deps.ts";

/** Dependencies of the node that belong to no request. `submit` takes the request's context explicitly. */
export interface CoordinatorNode extends Omit<
  CoordinatorDeps,
  "submit" | "onFailOpen" | "context" | "scripts"
> {
  submit(
    context: RequestContext,
    ...task: Parameters<CoordinatorDeps["submit"]>
  ): ReturnType<CoordinatorDeps["submit"]>;
}

/** The coordinator of a node. It lives as long as the node. */
export interface Coordinator {
  /** Dependencies bound to the context of one request, for `CoordinatorRequests`: each message that they send carries it. */
  depsUnder(context: RequestContext): CoordinatorDeps;
  /** State of replica selection and indexing pressure, for `CoordinatorRequests`. */
  readonly shared: CoordinatorState;
  /** Response times and queue sizes of the nodes that this node has searched: `adaptive_selection` of node statistics. */
  searchedNodes(): SearchedNodes;
  /**
   * Bytes of the writes that this node coordinates, now and in all since its start, the number of rejections, and the
   * limit.
   */
  indexingPressure(): IndexingPressureCounts;
  /** Number of attempts that failed open: reads that asked a copy although the weight of its zone is 0. */
  failOpenCount(): number;
  /** Applies a new set of nodes: statistics of nodes that left are dropped. */
  nodesChanged(nodes: ReadonlyMap<NodeId, unknown>): void;
}

/** A coordinator for one node. Its counters start at 0 with each start of the node. */
export function createCoordinator(given: CoordinatorNode): Coordinator {
  const selection = createReplicaSelection();
  const pressure = createIndexingPressure(given.indexingLimitBytes ?? (() => Infinity));
  let failedOpen = 0;
  const onFailOpen = (): void => {
    failedOpen += 1;
  };
  const nodeSettings = given.nodeSettings ?? {};
  const scripts = new ScriptCompiler({
    engines: given.language.scriptEngines,
    settings: () => scriptSettingsOf(withNodeSettings(given.state(), nodeSettings)),
    nowMs: () => given.clock.monotonicMs(),
  });
  return {
    depsUnder: (context) => ({
      ...given,
      scripts,
      onFailOpen,
      context,
      transport: underContext(given.transport, context),
      submit: (task, options) => given.submit(context, task, options),
    }),
    shared: { selection, pressure },
    failOpenCount: () => failedOpen,
    nodesChanged: (nodes) => {
      for (const { nodeId } of selection.known()) if (!nodes.has(nodeId)) selection.forget(nodeId);
    },
    searchedNodes: () =>
      Object.fromEntries(
        selection.known().map((node) => [
          node.nodeId,
          {
            outgoingSearches: selection.outstanding(node.nodeId),
            avgQueueSize: Math.round(node.queueSize),
            avgServiceTimeNs: Math.round(node.serviceTimeMs * 1e6),
            avgResponseTimeNs: Math.round(node.responseTimeMs * 1e6),
            rank: (selection.rank(node.nodeId) ?? 0).toFixed(1),
          },
        ]),
      ),
    indexingPressure: () => pressure.counts(),
  };
}
