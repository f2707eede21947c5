/** Program of a shard worker's thread in a node with faults. */
import { getEnvironmentData, threadId } from "node:worker_threads";
import {
  createFaultState,
  withBlobFaults,
  withClockFaults,
  withDiskFaults,
  withPowerLoss,
  type PowerLossDisk,
} from "@orrery/faults";
import { runInThread } from "@orrery/host-node";
import type { TraceEvent } from "@orrery/ports";
import { createRandom } from "@orrery/stdx";
import { faultsKey, openThreadChannel, type ThreadFaults } from "./faulty-messages.ts";
import type { TimedEvent } from "./node-messages.ts";
import { blobOpeners, threadProgram } from "./thread-program.ts";
import { wallMs } from "./wall-time.ts";

const NEWS_EVERY_MS = 20;

const { self, rules, isDetailed } = getEnvironmentData(faultsKey) as unknown as ThreadFaults;
const state = createFaultState(rules);
const random = createRandom(`${self}:${process.pid}:${threadId}`);
let powerLoss: PowerLossDisk | undefined;
let events: TimedEvent[] = [];
const trace = isDetailed
  ? (event: TraceEvent): void => void events.push([wallMs(), event])
  : undefined;

const tell = openThreadChannel((news) => {
  if (news.kind === "rules") state.set(news.rules);
  if (news.kind !== "power-off") return;
  powerLoss?.cutPower(news.unsynced);
  tellEvents();
  tell({ kind: "off", thread: threadId, hits: [...state.hits] });
});
tell({ kind: "started", thread: threadId });

function tellEvents(): void {
  if (events.length > 0) tell({ kind: "trace", events });
  events = [];
}

let last = "";
setInterval(() => {
  tellEvents();
  const hits = [...state.hits];
  const text = JSON.stringify(hits);
  if (text === last) return;
  last = text;
  tell({ kind: "hits", thread: threadId, hits });
}, NEWS_EVERY_MS).unref();

runInThread(threadProgram, {
  blobOpeners,
  around: ({ clock, disk, blobs }) => {
    powerLoss = withPowerLoss(disk, { self, state, random });
    return {
      blobs: withBlobFaults(blobs, { state, clock, random, trace }),
      clock: withClockFaults(clock, { self, state, trace }),
      disk: withDiskFaults(powerLoss.disk, { self, state, clock, random, trace }),
    };
  },
});
