/** The flight recorder: one line of JSON an event, in order, and a running hash of all of them. */
import type { TraceEvent } from "@orrery/ports";

export interface Recorder {
  record(node: string, event: TraceEvent): void;
  readonly events: number;
  /** 16 hexadecimal digits over every line so far. */
  readonly hash: string;
  /** The last lines, newest last. */
  readonly tail: readonly string[];
}

export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

export interface RecorderOptions {
  readonly now: () => number;
  readonly onLine?: (line: string) => void;
  readonly onEvent?: (event: RecordedEvent) => void;
}

const TAIL = 50;

export function createRecorder({ now, onLine, onEvent }: RecorderOptions): Recorder {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  let events = 0;
  const ring: string[] = [];
  return {
    record: (node, event) => {
      const recorded: RecordedEvent = { at_ms: now(), node, ...event };
      const line = JSON.stringify(recorded);
      for (let i = 0; i < line.length; i += 1) {
        const unit = line.charCodeAt(i);
        low = Math.imul(low ^ unit, 2654435761);
        high = Math.imul(high ^ unit, 1597334677);
      }
      ring[events % TAIL] = line;
      events += 1;
      onLine?.(line);
      onEvent?.(recorded);
    },
    get events() {
      return events;
    },
    get hash() {
      return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
    },
    get tail() {
      const start = events % TAIL;
      return events <= TAIL ? ring : [...ring.slice(start), ...ring.slice(0, start)];
    },
  };
}
