/** Fault that interrupts long work of one thread of a node at every opportunity. */
import { duration, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";
import { drawThread, threadKeys, type ThreadChoice } from "./threads.ts";

export interface ShortTurns extends ThreadChoice {
  readonly kind: "short-turns";
  readonly byMs: number;
}

export const shortTurns: FaultRow<ShortTurns> = {
  family: "node",
  says: "Ends each turn of one thread of nodes as soon as it looks at the clock, as on a busy machine: merges, replays, large bodies and responses are interrupted at every opportunity, and other work of the thread runs in between.",
  keys: { ...threadKeys, byMs: or(duration, 5, "time for other work before the next turn") },
  needs: ["short-turns"],
  draw: (scene) => ({ ...drawThread(scene), byMs: scene.ms(1, 20) }),
  inject: ({ node: given, thread, byMs: restMs }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "short-turns", node, thread, restMs })),
};
