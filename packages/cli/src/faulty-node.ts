/**
 * The decorators of a node's process: rules come from the parent, are passed on to the threads of shard workers, and how often
 * they took effect goes the other way.
 */
import { setEnvironmentData } from "node:worker_threads";
import {
  createFaultState,
  rotDisk,
  withClockFaults,
  withDiskFaults,
  withNetworkFaults,
  withStoreFaults,
} from "@orrery/faults";
import { createClock } from "@orrery/host-node";
import type { TraceEvent } from "@orrery/ports";
import { createRandom } from "@orrery/stdx";
import type { FaultyStart, NodeOrder } from "./node-messages.ts";
import { report, type Surroundings } from "./node-program.ts";
import { faultsKey, openThreadChannel, type ThreadFaults } from "./faulty-messages.ts";

/** News are gathered for so long. */
const NEWS_EVERY_MS = 20;

export function surroundWithFaults(self: string, start: FaultyStart): Surroundings {
  const state = createFaultState(start.rules);
  const random = createRandom(`${self}:${process.pid}`);
  let { names } = start;
  const threads = createThreads(self, start);

  const news = createNews(() => threads.sum(state.hits));
  process.on("message", ({ order, what }: NodeOrder) => {
    names = what.names;
    state.set(what.rules);
    threads.tell(what.rules);
    void report({ event: "done", order });
  });

  return {
    network: (network) =>
      withNetworkFaults(network, {
        self,
        state,
        random,
        clock: createClock(),
        nameOf: (address) => names[address] ?? address,
      }),
    host: {
      threadEntry: new URL("./faulty-thread.js", import.meta.url),
      around: ({ clock, disk, store, blobs }) => {
        rotDisk(disk, { self, state, random });
        return {
          clock: withClockFaults(clock, { self, state }),
          disk: withDiskFaults(disk, { self, state, clock, random }),
          store: withStoreFaults(store, { self, state, clock }),
          blobs,
        };
      },
      ...(start.isTraced ? { trace: news.trace } : {}),
    },
  };
}

/** Tells the parent from time to time. */
function createNews(hits: () => ReadonlyMap<string, number>) {
  let events: TraceEvent[] = [];
  let last = "";
  setInterval(() => {
    if (events.length > 0) void report({ event: "trace", events });
    events = [];
    const counted = [...hits()];
    const text = JSON.stringify(counted);
    if (text === last) return;
    last = text;
    void report({ event: "hits", hits: counted });
  }, NEWS_EVERY_MS).unref();
  return { trace: (event: TraceEvent): void => void events.push(event) };
}

/** The threads of this node's shard workers. */
function createThreads(self: string, { rules }: FaultyStart) {
  const hitsOf = new Map<number, readonly (readonly [string, number])[]>();
  let current = rules;
  const keep = (): void => {
    const found: ThreadFaults = { self, rules: current };
    setEnvironmentData(faultsKey, { ...found });
  };
  const send = openThreadChannel((news) => {
    // What it started with may be old by now.
    if (news.kind === "started") send({ kind: "rules", rules: current });
    if (news.kind === "hits") hitsOf.set(news.thread, news.hits);
  });
  keep();
  return {
    tell: (next: FaultyStart["rules"]): void => {
      current = next;
      keep();
      send({ kind: "rules", rules: current });
    },
    sum: (own: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
      const sum = new Map(own);
      for (const hits of hitsOf.values())
        for (const [id, count] of hits) sum.set(id, (sum.get(id) ?? 0) + count);
      return sum;
    },
  };
}
