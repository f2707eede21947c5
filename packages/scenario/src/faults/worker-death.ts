/** Fault that ends a shard worker while its node continues. */
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";
import { drawThread, threadKeys, type ThreadChoice } from "./threads.ts";

export interface WorkerDeath extends ThreadChoice {
  readonly kind: "worker-death";
}

export const workerDeath: FaultRow<WorkerDeath> = {
  family: "node",
  says: "Ends a shard worker of nodes in the middle of its work, as an uncaught error does: its copies fail, the node continues and starts another worker.",
  keys: threadKeys,
  needs: ["worker-death"],
  isInstant: true,
  complaint: ({ thread }) =>
    thread === 0 ? "[thread] 0 is the main thread: [crash] and [kill] end a node" : undefined,
  draw: (scene) => ({ ...drawThread(scene), thread: scene.random.int(1, 2) }),
  inject: ({ node: given, thread }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "worker-death", node, thread })),
};
