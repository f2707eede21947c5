/** Looks at the cluster state of a live run from time to time: what a bundle keeps of it. Nobody waits for the looks. */
import type { OnState, Plan, World } from "@orrery/scenario";

/** Looks once at every cluster, unless the last look has not come back yet. */
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
    // A node that goes down meanwhile shows nothing: another one will at the next look.
    Promise.all(plan.clusters.map(({ name }) => look(name))).then(done, done);
  };
}
