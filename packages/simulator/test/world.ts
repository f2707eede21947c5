/** A virtual world for tests of one model: its event queue, and what a contract suite needs to let it run. */
import type { TraceEvent } from "@orrery/ports";
import type { Settle } from "@orrery/ports/contract";
import { createRandom, type Random } from "@orrery/stdx";
import { createEventQueue, type EventQueue } from "../src/event-queue.ts";

export interface VirtualWorld {
  readonly queue: EventQueue;
  readonly random: (purpose: string) => Random;
  readonly trace: TraceEvent[];
  readonly record: (node: string, event: TraceEvent) => void;
  readonly settle: Settle;
  /** Lets everything happen that is to come. */
  readonly runOut: () => Promise<void>;
}

const PATIENCE_MS = 60_000;

export function createVirtualWorld(seed: number | string = 1): VirtualWorld {
  const random = (purpose: string): Random => createRandom(`${seed}:${purpose}`);
  const queue = createEventQueue(random("order"));
  const trace: TraceEvent[] = [];
  return {
    queue,
    random,
    trace,
    record: (_node, event) => void trace.push(event),
    settle: async (until) => {
      await queue.run(queue.nowMs + PATIENCE_MS, until);
      if (!until()) throw new Error(`not within ${PATIENCE_MS} virtual ms: ${String(until)}`);
    },
    runOut: () => queue.run(queue.nowMs + PATIENCE_MS),
  };
}
