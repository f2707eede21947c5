/**
 * The trace of a live run: events of all nodes, in the order in which they happened.
 *
 * What a process tells comes late and many at a time, so each event waits a moment for earlier ones of others.
 */
import type { TraceEvent } from "@orrery/ports";
import type { Watchers } from "@orrery/scenario";
import { createRecorder } from "@orrery/simulator";
import { wallMs } from "./wall-time.ts";

export interface LiveTrace {
  /** `wallMs`: when it happened, as `wallMs()` tells it; now, when it is not said. */
  record(node: string, event: TraceEvent, wallMs?: number): void;
  /** Nothing waits any longer. */
  flush(): void;
  end(): void;
  readonly events: number;
  readonly tail: readonly string[];
}

const LOOK_EVERY_MS = 20;
/** How late an event may be told. */
const PATIENCE_MS = 60;

interface Waiting {
  readonly node: string;
  readonly event: TraceEvent;
  readonly atMs: number;
}

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
      // One that is later than the patience with it comes after those that were told before.
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

/** One end of a connection tells of both. */
function ownerOf(node: string, event: TraceEvent): string {
  if (event.kind === "message-sent" || event.kind === "message-dropped") return event.from;
  return event.kind === "message-delivered" ? event.to : node;
}
