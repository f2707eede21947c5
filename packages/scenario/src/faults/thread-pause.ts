/** Fault that pauses one thread of a node. */
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";
import { drawThread, threadKeys, type ThreadChoice } from "./threads.ts";

export interface ThreadPause extends ThreadChoice {
  readonly kind: "thread-pause";
}

export const threadPause: FaultRow<ThreadPause> = {
  family: "node",
  says: "Freezes one thread of nodes, as a long turn of its program does: a shard worker stands still while its node answers checks, or the other way about.",
  keys: threadKeys,
  needs: ["thread-pause"],
  draw: drawThread,
  inject: ({ node: given, thread }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "thread-pause", node, thread })),
};
