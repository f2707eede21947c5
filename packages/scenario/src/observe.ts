/** Looks at the cluster state each time a version of it was applied for the first time: what a bundle keeps of it. */
import type { Simulation } from "@orrery/simulator";
import { viewOf } from "./view.ts";
import type { ClusterView, RecordedEvent, World } from "./world.ts";

export type OnState = (atMs: number, cluster: string, view: ClusterView) => void;

/** The first node of a cluster that told of a version. */
interface Applied {
  readonly node: string;
  readonly version: number;
  readonly atMs: number;
}

/** A watcher of the run's events. */
export function observeStates(
  simulation: Simulation,
  world: Pick<World, "clusterOf">,
  onState: OnState,
): (event: RecordedEvent) => void {
  const newest = new Map<string, number>();
  const told = new Map<string, Applied>();

  /** The event is told before the node shows the state: it is looked at with one of the next events. */
  const look = (cluster: string, { node, version, atMs }: Applied): void => {
    const state = simulation.cluster(node)?.state();
    if (state !== undefined && state.version < version) return;
    // Of a node that is down another one will tell.
    told.delete(cluster);
    if (state === undefined) return;
    newest.set(cluster, state.version);
    onState(atMs, cluster, viewOf(state));
  };

  return (event) => {
    for (const [cluster, applied] of told) look(cluster, applied);
    if (event.kind !== "cluster-state-applied") return;
    const { node, version, at_ms: atMs } = event;
    const cluster = world.clusterOf(node);
    const known = Math.max(newest.get(cluster) ?? 0, told.get(cluster)?.version ?? 0);
    if (version > known) told.set(cluster, { node, version, atMs });
  };
}
