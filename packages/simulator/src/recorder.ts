/**
 * Flight recorder: a running hash over every event, in order, and optionally one line of JSON for each event.
 *
 * The hash is computed from the fields themselves, so that it does not depend on whether lines are written.
 */
import type { TraceEvent } from "@orrery/ports";

export interface Recorder {
  record(node: string, event: TraceEvent): void;
  readonly events: number;
  /** Hash over all events so far, 16 hexadecimal digits. */
  readonly hash: string;
  /** The last 50 events as lines of JSON, newest last. */
  readonly tail: readonly string[];
}

/** Event of the trace with its time, in milliseconds since the start of the run, and the node that recorded it. */
export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

export interface RecorderOptions {
  readonly now: () => number;
  readonly onLine?: (line: string) => void;
  readonly onEvent?: (event: RecordedEvent) => void;
  /** True for event kinds that `onEvent` receives; all kinds if `undefined`. */
  readonly isHeard?: (kind: TraceEvent["kind"]) => boolean;
}

interface Entry {
  readonly atMs: number;
  readonly node: string;
  readonly event: TraceEvent;
}

function recorded({ atMs, node, event }: Entry): RecordedEvent {
  return { at_ms: atMs, node, ...event };
}

const everyKind = (): boolean => true;

const TAIL = 50;

export function createRecorder({
  now,
  onLine,
  onEvent,
  isHeard = everyKind,
}: RecorderOptions): Recorder {
  const hash = createHash();
  let events = 0;
  const ring: Entry[] = [];
  return {
    record: (node, event) => {
      const entry: Entry = { atMs: now(), node, event };
      hash.add(entry);
      ring[events % TAIL] = entry;
      events += 1;
      if (onLine !== undefined) onLine(JSON.stringify(recorded(entry)));
      if (onEvent !== undefined && isHeard(event.kind)) onEvent(recorded(entry));
    },
    get events() {
      return events;
    },
    get hash() {
      return hash.digits();
    },
    get tail() {
      const start = events % TAIL;
      const last = events <= TAIL ? ring : [...ring.slice(start), ...ring.slice(0, start)];
      return last.map((entry) => JSON.stringify(recorded(entry)));
    },
  };
}

type Value = string | number | boolean | undefined;

type Message = Extract<
  TraceEvent,
  { readonly kind: "message-sent" } | { readonly kind: "message-delivered" }
>;

/** Hash over a sequence of values. Most texts recur, so the hash of each text is computed once. */
function createHash() {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  const known = new Map<string, number>();
  const float = new Float64Array(1);
  const halves = new Uint32Array(float.buffer);

  const mix = (word: number): void => {
    low = Math.imul(low ^ word, 2654435761);
    low ^= low >>> 15;
    high = Math.imul(high ^ word, 1597334677);
    high ^= high >>> 13;
  };
  const recent: Recent[] = Array.from({ length: RECENT }, () => ({ text: "", word: wordOf("") }));
  const mixText = (text: string): void => {
    const { length } = text;
    const slot = recent[
      (length * 31 + text.charCodeAt(length - 1) * 7 + text.charCodeAt(length >> 1)) & (RECENT - 1)
    ] as Recent;
    if (slot.text !== text) {
      let word = known.get(text);
      if (word === undefined) {
        word = wordOf(text);
        if (known.size < MOST_KNOWN) known.set(text, word);
      }
      slot.text = text;
      slot.word = word;
    }
    mix(slot.word);
    mix(length);
  };
  const mixNumber = (value: number): void => {
    float[0] = value;
    mix(halves[0] ?? 0);
    mix(halves[1] ?? 0);
  };
  const mixValue = (value: Value): void => {
    if (typeof value === "string") mixText(value);
    else if (typeof value === "number") mixNumber(value);
    else mix(value === undefined ? 2 : Number(value));
  };
  const mixMessage = (message: Message): void => {
    const { kind, from, to, action, correlationId, frameKind, sizeBytes, shard } = message;
    mixText(kind);
    mixText(from);
    mixText(to);
    mixText(action);
    mixNumber(correlationId);
    mixText(frameKind);
    mixNumber(sizeBytes);
    if (shard !== undefined) mixText(shard);
  };

  return {
    add: ({ atMs, node, event }: Entry): void => {
      mixNumber(atMs);
      mixText(node);
      // Most events are messages: access to their fields by name is much faster than iteration over unknown ones.
      if (event.kind === "message-sent" || event.kind === "message-delivered") mixMessage(event);
      // The kind, hashed before, determines the meaning and number of the values.
      else for (const name in event) mixValue(event[name as keyof TraceEvent]);
    },
    digits: (): string =>
      [low, high].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join(""),
  };
}

const MOST_KNOWN = 10_000;

/** Size of the direct-mapped cache in front of the map; a power of two. */
const RECENT = 256;

interface Recent {
  text: string;
  word: number;
}

function wordOf(text: string): number {
  let word = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) word = Math.imul(word ^ text.charCodeAt(i), 0x01000193);
  return word;
}
