/** Messages about faults between a node's process and the threads of its shard workers. */
import { BroadcastChannel } from "node:worker_threads";
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TimedEvent } from "./node-messages.ts";

/** Key of the environment data that a new thread reads at its start. */
export const faultsKey = "orrery-faults";

/** Fault rules and options that a thread reads at its start. */
export interface ThreadFaults {
  readonly self: string;
  readonly rules: readonly ActiveRule[];
  /** Timers and syncs are traced. */
  readonly isDetailed: boolean;
}

/** Message from a shard worker's thread to the main thread. */
export type ThreadNews =
  | { readonly kind: "started"; readonly thread: number }
  | { readonly kind: "rules"; readonly rules: readonly ActiveRule[] }
  | { readonly kind: "power-off"; readonly unsynced: Unsynced }
  | { readonly kind: "trace"; readonly events: readonly TimedEvent[] }
  | {
      /** `off`: the power of the thread has been cut. */
      readonly kind: "hits" | "off";
      readonly thread: number;
      readonly hits: readonly (readonly [string, number])[];
    };

/**
 * Opens the channel that connects all threads of this process; returns the function that sends on it. The channel keeps
 * no process running.
 */
export function openThreadChannel(hear: (news: ThreadNews) => void): (news: ThreadNews) => void {
  const channel = new BroadcastChannel("orrery-faults");
  channel.unref();
  channel.addEventListener("message", (event) =>
    hear((event as Event & { readonly data: unknown }).data as ThreadNews),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that one is for windows
  return (news) => channel.postMessage(news);
}
