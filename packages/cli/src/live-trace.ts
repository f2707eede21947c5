/**
 * Trace of a live run: events of all nodes, ordered by time.
 *
 * Processes send events late and in batches, so each event is held for a moment to let earlier ones of other processes
 * arrive.
 */
import type { TraceEvent } from "@orrery/ports";
import type { Watchers } from "@orrery/scenario";
import { createRecorder } from "@orrery/simulator";
import { wallMs } from "./wall-time.ts";

export interface LiveTrace {
  /** Records an event. `wallMs`: its time as given by `wallMs()`; default: now. */
  record(node: string, event: TraceEvent, wallMs?: number): void;
  /** Emits all held events. */
  flush(): void;
  end(): void;
  readonly events: number;
  readonly tail: readonly string[];
}

const LOOK_EVERY_MS = 20;
/** Time for which events are held. */
const PATIENCE_MS = 60;

interface Waiting {
  readonly node: string;
  readonly event: TraceEvent;
  readonly atMs: number;
}

/** Trace that passes ordered events to the watchers. */
export function createLiveTrace({ hear, isHeard }: Watchers): LiveTrace {
  const startedMs = wallMs();
  let atMs = 0;
  let waiting: Waiting[] = [];
  const recorder = createRecorder({ now: () => atMs, onEvent: hear, isHeard });

  const pass = (untilMs: number): void => {
    const ripe = waiting.filter((one) => one.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
    if (ripe.length === 0) return;
    waiting = waiting.filter((one) => one.atMs > untilMs);
    for (const one of ripe) {
      // An event later than that is emitted with the time of the previous one.
      atMs = Math.max(atMs, Math.round(one.atMs - startedMs));
      recorder.record(one.node, one.event);
    }
  };
  const timer = setInterval(() => pass(wallMs() - PATIENCE_MS), LOOK_EVERY_MS);
  timer.unref();
  return {
    record: (node, event, happenedMs = wallMs()) =>
      void waiting.push({ node: ownerOf(node, event), event, atMs: happenedMs }),
    flush: () => pass(Infinity),
    end: () => clearInterval(timer),
    get events() {
      return recorder.events;
    },
    get tail() {
      return recorder.tail;
    },
  };
}

/**
 * Node that an event is attributed to. The node that opened a connection reports the messages of both directions, but
 * a message is recorded at its sender when it is sent or dropped, and at its receiver when it is delivered.
 */
function ownerOf(node: string, event: TraceEvent): string {
  if (event.kind === "message-sent" || event.kind === "message-dropped") return event.from;
  return event.kind === "message-delivered" ? event.to : node;
}
