/** Fault that submits more tasks to the elected cluster manager than it can execute. */
import { integer, or } from "../shape.ts";
import { electedClusterManager, newClient, type World } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { flood } from "./flood.ts";

export interface ManagerOverload {
  readonly kind: "manager-overload";
  readonly perSecond: number;
}

const SETTING = "cluster.max_shards_per_node";
const TIMEOUT_MS = 30_000;

export const managerOverload: FaultRow<ManagerOverload> = {
  family: "cluster",
  says: "Changes a cluster setting so often that the elected cluster manager cannot keep up; the setting is reset when the fault ends.",
  keys: { perSecond: or(integer(1, 10_000), 200, "tasks in a second") },
  needs: [],
  draw: (scene) => ({ perSecond: scene.ms(10, 100) }),
  inject: async ({ perSecond }, world) => {
    const { end, ...flooding } = flood(world, {
      name: "overload",
      perSecond,
      next: async (number) => {
        const [node] = await world.select(electedClusterManager);
        return node === undefined ? undefined : { node, request: change(20_000 + number) };
      },
    });
    return {
      ...flooding,
      end: async () => {
        await end();
        await reset(world);
      },
    };
  },
};

function change(value: number | null) {
  const body = JSON.stringify({ transient: { [SETTING]: value } });
  return { method: "PUT", uri: "/_cluster/settings", body, timeoutMs: TIMEOUT_MS };
}

/** Resets the changed setting; repeated, as the asked node may no longer be the cluster manager. */
async function reset(world: World): Promise<void> {
  const client = newClient("overload-end");
  for (let attempts = 0; attempts < 10; attempts += 1) {
    const [node] = await world.select(electedClusterManager);
    const answer = node === undefined ? undefined : await world.request(client, node, change(null));
    if (answer?.status === 200) return;
    await world.sleep(1000);
  }
}
