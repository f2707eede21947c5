/** What a node's process and the threads of its shard workers say to each other about faults. */
import { BroadcastChannel } from "node:worker_threads";
import type { ActiveRule, Unsynced } from "@orrery/faults";
import type { TimedEvent } from "./node-messages.ts";

/** Of what a thread finds when it starts. */
export const faultsKey = "orrery-faults";

export interface ThreadFaults {
  readonly self: string;
  readonly rules: readonly ActiveRule[];
  /** Timers and syncs are told. */
  readonly isDetailed: boolean;
}

export type ThreadNews =
  | { readonly kind: "started"; readonly thread: number }
  | { readonly kind: "rules"; readonly rules: readonly ActiveRule[] }
  | { readonly kind: "power-off"; readonly unsynced: Unsynced }
  | { readonly kind: "trace"; readonly events: readonly TimedEvent[] }
  | {
      /** `off`: its power is. */
      readonly kind: "hits" | "off";
      readonly thread: number;
      readonly hits: readonly (readonly [string, number])[];
    };

/** All threads of this process hear what one of them tells; returns how to tell them. It keeps nobody running. */
export function openThreadChannel(hear: (news: ThreadNews) => void): (news: ThreadNews) => void {
  const channel = new BroadcastChannel("orrery-faults");
  channel.unref();
  channel.addEventListener("message", (event) =>
    hear((event as Event & { readonly data: unknown }).data as ThreadNews),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that one is for windows
  return (news) => channel.postMessage(news);
}
