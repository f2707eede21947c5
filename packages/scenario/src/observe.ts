/** Looks at the cluster state each time a version of it was applied for the first time: what a bundle keeps of it. */
import type { Simulation } from "@orrery/simulator";
import { viewOf } from "./view.ts";
import type { ClusterView, RecordedEvent, World } from "./world.ts";

export type OnState = (atMs: number, cluster: string, view: ClusterView) => void;

/** A watcher of the run's events. */
export function observeStates(
  simulation: Simulation,
  world: Pick<World, "clusterOf">,
  onState: OnState,
): (event: RecordedEvent) => void {
  const newest = new Map<string, number>();
  let applied: { readonly node: string; readonly atMs: number } | undefined;
  return (event) => {
    // The event is told just before the node shows the state: it is looked at with the next one.
    if (applied !== undefined) {
      const { node, atMs } = applied;
      applied = undefined;
      const state = simulation.cluster(node)?.state();
      const cluster = world.clusterOf(node);
      if (state !== undefined && state.version > (newest.get(cluster) ?? 0)) {
        newest.set(cluster, state.version);
        onState(atMs, cluster, viewOf(state));
      }
    }
    if (event.kind === "cluster-state-applied") applied = { node: event.node, atMs: event.at_ms };
  };
}
