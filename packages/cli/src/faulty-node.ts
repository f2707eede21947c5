/**
 * Decorators of a node's process: rules arrive from the parent and are forwarded to the threads of shard workers; hits
 * are returned to the parent.
 */
import {
  createFaultState,
  rotDisk,
  withBlobFaults,
  withClockFaults,
  withDiskFaults,
  withNetworkFaults,
  withPowerLoss,
  withStoreFaults,
  type PowerLossDisk,
  type Unsynced,
} from "@orrery/faults";
import { createClock } from "@orrery/host-node";
import type { TraceEvent } from "@orrery/ports";
import { viewOf } from "@orrery/scenario";
import { createRandom, lookup } from "@orrery/stdx";
import { createThreads, type FaultyThreads } from "./faulty-threads.ts";
import type { FaultyStart, NodeOrder, TimedEvent } from "./node-messages.ts";
import { report, type NodeDecorators } from "./node-program.ts";
import type { ServedNode } from "./serve-node.ts";
import { wallMs } from "./wall-time.ts";

/** Interval at which hits and events are sent. */
const NEWS_EVERY_MS = 20;

export function decorateWithFaults(self: string, start: FaultyStart): NodeDecorators {
  const state = createFaultState(start.rules);
  const random = createRandom(`${self}:${process.pid}`);
  const threads = createThreads({ self, rules: start.rules, isDetailed: start.isDetailed });
  const news = createNews(threads, () => threads.sum(state.hits));
  const trace = start.isDetailed ? news.trace : undefined;
  let { names } = start;
  let served: ServedNode | undefined;
  let powerLoss: PowerLossDisk | undefined;

  const powerOff = async (unsynced: Unsynced): Promise<void> => {
    powerLoss?.cutPower(unsynced);
    await threads.powerOff(unsynced);
    await news.tell();
    process.kill(process.pid, "SIGKILL");
  };

  process.on("message", ({ order, what }: NodeOrder) => {
    if (what.kind === "power-off") return void powerOff(what.unsynced);
    if (what.kind === "view") {
      const view = served && viewOf(served.cluster.state());
      return void report({ event: "done", order, ...(view === undefined ? {} : { view }) });
    }
    names = what.names;
    state.set(what.rules);
    threads.tell(what.rules);
    return void report({ event: "done", order });
  });

  return {
    onServed: (node) => {
      served = node;
    },
    network: (network) =>
      withNetworkFaults(network, {
        self,
        state,
        random,
        trace,
        clock: createClock(),
        nameOf: (address) => lookup(names, address) ?? address,
      }),
    host: {
      threadEntry: new URL("./faulty-thread.js", import.meta.url),
      around: ({ clock, disk, store, blobs }) => {
        rotDisk(disk, { self, state, random });
        powerLoss = withPowerLoss(disk, { self, state, random });
        return {
          clock: withClockFaults(clock, { self, state, trace }),
          disk: withDiskFaults(powerLoss.disk, { self, state, clock, random, trace }),
          store: withStoreFaults(store, { self, state, clock }),
          blobs: withBlobFaults(blobs, { state, clock, random, trace }),
        };
      },
      ...(start.isTraced ? { trace: news.trace } : {}),
    },
  };
}

/** Sends hits and events to the parent periodically. */
function createNews(threads: FaultyThreads, hits: () => ReadonlyMap<string, number>) {
  let events: TimedEvent[] = [];
  let last = "";
  const tell = async (): Promise<void> => {
    const gathered = [...events, ...threads.takeEvents()];
    events = [];
    if (gathered.length > 0) await report({ event: "trace", events: gathered });
    const counted = [...hits()];
    const text = JSON.stringify(counted);
    if (text === last) return;
    last = text;
    await report({ event: "hits", hits: counted });
  };
  setInterval(() => void tell(), NEWS_EVERY_MS).unref();
  return { tell, trace: (event: TraceEvent): void => void events.push([wallMs(), event]) };
}
