/**
 * Who hears of events of a run: of all of them, or of news only, which is what is not the daily traffic of a cluster.
 *
 * Most events are traffic. A checker judges news, so that nothing is made of a message for whoever does not look at it.
 */
import type { TraceEvent } from "@orrery/ports";
import type { RecordedEvent } from "./world.ts";

type Traffic =
  | "message-sent"
  | "message-delivered"
  | "message-dropped"
  | "timer-fired"
  | "disk-synced";

export type NewsEvent = Exclude<RecordedEvent, { readonly kind: Traffic }>;

export interface Watchers {
  /** Calls for each event from now on; returns what ends it. */
  watch(watcher: (event: RecordedEvent) => void): () => void;
  watchNews(watcher: (event: NewsEvent) => void): () => void;
  /** Something happened. */
  hear(event: RecordedEvent): void;
  /** Somebody wants to hear of such events. */
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
