/** Periodic observation of the cluster state of a live run, for its bundle. The run does not wait for it. */
import type { OnState, Plan, World } from "@orrery/scenario";

/** Returns the function that observes every cluster once, unless the previous observation is still in progress. */
export function createStateLook(plan: Plan, world: World, onState: OnState): () => void {
  const newest = new Map<string, number>();
  let isUnderWay = false;
  const look = async (cluster: string): Promise<void> => {
    const [node] = world.running(cluster);
    const view = node === undefined ? undefined : await world.view(node);
    if (view === undefined || view.version <= (newest.get(cluster) ?? 0)) return;
    newest.set(cluster, view.version);
    onState(Math.round(world.nowMs()), cluster, view);
  };
  const done = (): void => {
    isUnderWay = false;
  };
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    // An observation of a node that goes down is lost; the next one uses another node.
    Promise.all(plan.clusters.map(({ name }) => look(name))).then(done, done);
  };
}
