/** The coordinating node: what it knows of the others, and its operations for each request. */
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

/** What the coordinator asks of its node, for any request. */
export interface CoordinatorNode extends Omit<
  CoordinatorDeps,
  "submit" | "onFailOpen" | "context" | "scripts"
> {
  submit(
    context: RequestContext,
    ...task: Parameters<CoordinatorDeps["submit"]>
  ): ReturnType<CoordinatorDeps["submit"]>;
}

export interface Coordinator {
  /** For the operations of one request (`CoordinatorRequests`): whatever they send carries its context. */
  depsUnder(context: RequestContext): CoordinatorDeps;
  readonly shared: CoordinatorState;
  /** What this node saw of the nodes it searches: `adaptive_selection` of its statistics. */
  searchedNodes(): SearchedNodes;
  /** Bytes of writes that this node coordinates. */
  indexingPressure(): IndexingPressureCounts;
  /** How often a copy was read although its zone has no weight. */
  failOpenCount(): number;
  /** A cluster state was applied: what is known of nodes that are not in it is forgotten. */
  nodesChanged(nodes: ReadonlyMap<NodeId, unknown>): void;
}

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
