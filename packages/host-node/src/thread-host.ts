/** The host of a shard worker inside its thread. */
import { parentPort, workerData } from "node:worker_threads";
import type { BlobOpeners, WorkerHost } from "@orrery/ports";
import { closeRealm, defined } from "@orrery/stdx";
import { createBlobStores, createFileDisk } from "@orrery/storage";
import { createClock } from "./clock.ts";
import { collectWhenIdle } from "./idle-collector.ts";
import { ownBytes, transferables } from "./own-bytes.ts";
import { createRandomStreams } from "./random.ts";
import type { ThreadData } from "./thread-shard-workers.ts";

const HEARTBEAT_MS = 250;

/** The ports of a worker's thread that the option `around` may decorate. */
export type ThreadPorts = Pick<WorkerHost, "clock" | "disk" | "blobs">;

export interface ThreadOptions {
  /** Openers of blob stores that plugins add, by type of address. */
  readonly blobOpeners?: BlobOpeners;
  /** Decorates the ports of this thread. */
  readonly around?: (ports: ThreadPorts) => ThreadPorts;
}

/** Runs a shard worker's program in this thread, until it posts `stopped`. */
export function runInThread(
  program: (host: WorkerHost) => void,
  { blobOpeners, around = (ports) => ports }: ThreadOptions = {},
): void {
  closeRealm();
  const port = defined(parentPort ?? undefined, "the port to the node");
  const { dataPath, seed, beats } = workerData as ThreadData;
  const beat = (): number => Atomics.add(beats, 0, 1);
  // The first beat comes before the first message, in which the thread may get stuck: without it a stuck thread would look
  // like one that is still loading.
  beat();
  setInterval(beat, HEARTBEAT_MS).unref();
  collectWhenIdle();
  program({
    ...around({
      clock: createClock(),
      disk: createFileDisk(dataPath),
      blobs: createBlobStores(blobOpeners),
    }),
    random: createRandomStreams(seed),
    post(message) {
      const own = ownBytes(message);
      port.postMessage(own, transferables(own));
      // The worker is done, even if timers or files are still open. Posted messages have been sent by the next turn.
      if (message.kind === "stopped") setImmediate(() => process.exit(0));
    },
    onMessage: (receive) => {
      port.on("message", receive);
    },
  });
}
