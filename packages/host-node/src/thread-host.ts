/** The world of a shard worker inside its thread. */
import { parentPort, workerData } from "node:worker_threads";
import type { BlobOpeners, WorkerHost } from "@orrery/ports";
import { closeRealm, defined } from "@orrery/stdx";
import { createBlobStores, createFileDisk } from "@orrery/storage";
import { createClock } from "./clock.ts";
import { collectWhenIdle } from "./idle-collector.ts";
import { createFrameSender, receiveFrames, type ThreadMessage } from "./packed-frames.ts";
import { createRandomStreams } from "./random.ts";
import type { ThreadData } from "./thread-shard-workers.ts";

const HEARTBEAT_MS = 250;

export type ThreadPorts = Pick<WorkerHost, "clock" | "disk" | "blobs">;

export interface ThreadOptions {
  /** Of plugins, by type of address. */
  readonly blobOpeners?: BlobOpeners;
  /** Put around the ports of this thread. */
  readonly around?: (ports: ThreadPorts) => ThreadPorts;
}

export function runInThread(
  program: (host: WorkerHost) => void,
  { blobOpeners, around = (ports) => ports }: ThreadOptions = {},
): void {
  closeRealm();
  const port = defined(parentPort ?? undefined, "the port to the node");
  const { dataPath, seed, beats } = workerData as ThreadData;
  const beat = (): number => Atomics.add(beats, 0, 1);
  // From now on it can be told that the thread is stuck: the first message may be what it gets stuck in.
  beat();
  setInterval(beat, HEARTBEAT_MS).unref();
  collectWhenIdle();
  const sender = createFrameSender((message, transfer) => port.postMessage(message, transfer));
  program({
    ...around({
      clock: createClock(),
      disk: createFileDisk(dataPath),
      blobs: createBlobStores(blobOpeners),
    }),
    random: createRandomStreams(seed),
    post(message) {
      sender.post(message);
      // Whatever timers or files are still open: it said it is done. Posted messages are on their way already.
      if (message.kind === "stopped") setImmediate(() => process.exit(0));
    },
    onMessage: (receive) => {
      port.on("message", (message: ThreadMessage) => receiveFrames(message, receive));
    },
  });
}
