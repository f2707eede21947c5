/**
 * Threads of a node's shard workers, as seen by its main thread: it forwards rules, sums hits, and cuts their power.
 */
import { appendAll } from "@orrery/stdx";
import { setEnvironmentData } from "node:worker_threads";
import type { ActiveRule, Unsynced } from "@orrery/faults";
import { faultsKey, openThreadChannel, type ThreadFaults } from "./faulty-messages.ts";
import type { TimedEvent } from "./node-messages.ts";

export interface FaultyThreads {
  tell(rules: readonly ActiveRule[]): void;
  /** Hits of the main thread and all worker threads. */
  sum(own: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
  /** Cuts the power of the threads; resolves when each has undone its unsynced writes. */
  powerOff(unsynced: Unsynced): Promise<void>;
  /** Events received since the last call. */
  takeEvents(): readonly TimedEvent[];
}

/** Limit of the wait: a thread that is ending does not respond. */
const POWER_OFF_PATIENCE_MS = 300;

export function createThreads({ self, rules, isDetailed }: ThreadFaults): FaultyThreads {
  const hitsOf = new Map<number, readonly (readonly [string, number])[]>();
  const isOff = new Set<number>();
  let events: TimedEvent[] = [];
  let current = rules;
  let onOff = (): void => undefined;
  const keep = (): void => {
    const found: ThreadFaults = { self, rules: current, isDetailed };
    setEnvironmentData(faultsKey, { ...found });
  };
  const send = openThreadChannel((news) => {
    if (news.kind === "started") {
      hitsOf.set(news.thread, []);
      // The rules that the thread started with may be outdated.
      send({ kind: "rules", rules: current });
    }
    if (news.kind === "trace") appendAll(events, news.events);
    if (news.kind !== "hits" && news.kind !== "off") return;
    hitsOf.set(news.thread, news.hits);
    if (news.kind === "hits") return;
    isOff.add(news.thread);
    if (isOff.size === hitsOf.size) onOff();
  });
  keep();
  return {
    tell: (next) => {
      current = next;
      keep();
      send({ kind: "rules", rules: current });
    },
    takeEvents: () => {
      const taken = events;
      events = [];
      return taken;
    },
    sum: (own) => {
      const sum = new Map(own);
      for (const hits of hitsOf.values())
        for (const [id, count] of hits) sum.set(id, (sum.get(id) ?? 0) + count);
      return sum;
    },
    powerOff: (unsynced) =>
      new Promise((resolve) => {
        if (hitsOf.size === 0) return resolve();
        onOff = resolve;
        setTimeout(resolve, POWER_OFF_PATIENCE_MS);
        return send({ kind: "power-off", unsynced });
      }),
  };
}
