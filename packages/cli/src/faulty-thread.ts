/** What the thread of a shard worker runs in a node with faults. */
import { getEnvironmentData, threadId } from "node:worker_threads";
import {
  createFaultState,
  withClockFaults,
  withDiskFaults,
  withPower,
  type PoweredDisk,
} from "@orrery/faults";
import { runInThread } from "@orrery/host-node";
import { createRandom } from "@orrery/stdx";
import { faultsKey, openThreadChannel, type ThreadFaults } from "./faulty-messages.ts";
import { shardProgram } from "./shard-program.ts";

const NEWS_EVERY_MS = 20;

const { self, rules } = getEnvironmentData(faultsKey) as unknown as ThreadFaults;
const state = createFaultState(rules);
const random = createRandom(`${self}:${process.pid}:${threadId}`);
let powered: PoweredDisk | undefined;

const tell = openThreadChannel((news) => {
  if (news.kind === "rules") state.set(news.rules);
  if (news.kind !== "power-off") return;
  powered?.off(news.unsynced);
  tell({ kind: "off", thread: threadId, hits: [...state.hits] });
});
tell({ kind: "started", thread: threadId });

let last = "";
setInterval(() => {
  const hits = [...state.hits];
  const text = JSON.stringify(hits);
  if (text === last) return;
  last = text;
  tell({ kind: "hits", thread: threadId, hits });
}, NEWS_EVERY_MS).unref();

runInThread(shardProgram, ({ clock, disk, blobs }) => {
  powered = withPower(disk, { self, state, random });
  return {
    blobs,
    clock: withClockFaults(clock, { self, state }),
    disk: withDiskFaults(powered.disk, { self, state, clock, random }),
  };
});
