/**
 * Log for ShiViz: each event with its host's vector clock. A delivery merges the clock of its send
 * event.
 *
 * Parse it there with `(?<host>\S+) (?<clock>\{.*\})\n(?<event>.*)`.
 */
import { printable } from "./printable.ts";
import type { RecordedEvent } from "../types.ts";
import { describeEvent } from "./describe.ts";
import type { TraceFormat } from "./format.ts";
import { createSentMessages } from "./sent-messages.ts";

type Clock = Map<string, number>;

export const shiviz: TraceFormat = function* shiviz(events) {
  const clocks = new Map<string, Clock>();
  const underWay = createSentMessages<Clock>();
  for (const { event } of events) {
    const host = hostOf(event);
    if (host === undefined) continue;
    const clock = clocks.get(host) ?? new Map<string, number>();
    clocks.set(host, clock);
    if (event.kind === "message-delivered" || event.kind === "message-dropped") {
      const sent = underWay.take(event) ?? [];
      for (const [other, ticks] of event.kind === "message-delivered" ? sent : [])
        clock.set(other, Math.max(clock.get(other) ?? 0, ticks));
    }
    clock.set(host, (clock.get(host) ?? 0) + 1);
    if (event.kind === "message-sent") underWay.put(event, new Map(clock));
    const text = printable(`${event.at_ms} ms ${event.kind} ${describeEvent(event)}`);
    // ShiViz reads a host as one word.
    const word = printable(host).replaceAll(" ", "_");
    yield `${word} ${JSON.stringify(Object.fromEntries(clock))}\n${text}\n`;
  }
};

function hostOf(event: RecordedEvent): string | undefined {
  if (event.kind === "timer-fired" || event.kind === "disk-synced") return undefined;
  if (event.kind === "client-request" || event.kind === "client-response") return event.client;
  return event.node === "" ? "world" : event.node;
}
