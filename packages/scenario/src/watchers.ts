/**
 * Watchers of a run's events: of all events, or of news, that is all except the frequent traffic of messages, timers
 * and syncs.
 *
 * Most events are traffic. Checkers watch news only, so that traffic costs nothing unless a watcher needs it.
 */
import type { TraceEvent } from "@orrery/ports";
import type { RecordedEvent } from "./world.ts";

type Traffic =
  | "message-sent"
  | "message-delivered"
  | "message-dropped"
  | "timer-fired"
  | "disk-synced";

/** Event other than a message, a timer or a sync. */
export type NewsEvent = Exclude<RecordedEvent, { readonly kind: Traffic }>;

export interface Watchers {
  /** Calls the watcher for each event from now on; returns the function that stops it. */
  watch(watcher: (event: RecordedEvent) => void): () => void;
  watchNews(watcher: (event: NewsEvent) => void): () => void;
  /** Passes an event to the watchers. */
  hear(event: RecordedEvent): void;
  /** True if a watcher receives events of this kind. */
  isHeard(kind: TraceEvent["kind"]): boolean;
}

export function createWatchers(): Watchers {
  const ofAll = new Set<(event: RecordedEvent) => void>();
  const ofNews = new Set<(event: NewsEvent) => void>();
  return {
    watch: (watcher) => {
      ofAll.add(watcher);
      return () => void ofAll.delete(watcher);
    },
    watchNews: (watcher) => {
      ofNews.add(watcher);
      return () => void ofNews.delete(watcher);
    },
    hear: (event) => {
      for (const watch of ofAll) watch(event);
      if (isNews(event)) for (const watch of ofNews) watch(event);
    },
    isHeard: (kind) => ofAll.size > 0 || (ofNews.size > 0 && !trafficKinds.has(kind)),
  };
}

const traffic: Readonly<Record<Traffic, true>> = {
  "message-sent": true,
  "message-delivered": true,
  "message-dropped": true,
  "timer-fired": true,
  "disk-synced": true,
};
const trafficKinds: ReadonlySet<string> = new Set(Object.keys(traffic));

function isNews(event: RecordedEvent): event is NewsEvent {
  return !trafficKinds.has(event.kind);
}
