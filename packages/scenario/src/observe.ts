/** Observer of the cluster state: it reads each version when the first node has applied it, for the bundle. */
import type { Simulation } from "@orrery/simulator";
import { viewOf } from "./view.ts";
import type { ClusterView, RecordedEvent, World } from "./world.ts";

/** Receives a new state: the time at which the first node applied it, the cluster, and that node's view. */
export type OnState = (atMs: number, cluster: string, view: ClusterView) => void;

/** First node of a cluster that reported a version. */
interface Applied {
  readonly node: string;
  readonly version: number;
  readonly atMs: number;
}

/** Returns an event watcher that passes each new state to `onState`. */
export function observeStates(
  simulation: Simulation,
  world: Pick<World, "clusterOf">,
  onState: OnState,
): (event: RecordedEvent) => void {
  const newest = new Map<string, number>();
  const told = new Map<string, Applied>();

  /**
   * Reads the state. The event of a version precedes its exposure by the node, so the state is read at one of the next
   * events.
   */
  const look = (cluster: string, { node, version, atMs }: Applied): void => {
    const state = simulation.cluster(node)?.state();
    if (state !== undefined && state.version < version) return;
    // If the node is down, the next node that applies the version is used.
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
