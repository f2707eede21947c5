/**
 * JSON for Perfetto and Chrome's tracing: one track for each node, client and fault, messages as
 * arrows between tracks.
 */
import type { RecordedEvent } from "../types.ts";
import { describeEvent } from "./describe.ts";
import type { TraceFormat } from "./format.ts";
import { createSentMessages } from "./sent-messages.ts";

type Row = Readonly<Record<string, unknown>>;

export const perfetto: TraceFormat = function* perfetto(events) {
  yield '{"displayTimeUnit":"ms","traceEvents":[\n';
  const tracks = createTracks();
  const underWay = createSentMessages<number>();
  const open = new Map<string, { readonly id: number; readonly name: string }>();
  let flows = 0;
  let isFirst = true;
  const line = (row: Row): string => {
    const text = `${isFirst ? "" : ",\n"}${JSON.stringify(row)}`;
    isFirst = false;
    return text;
  };
  for (const { seq, event } of events) {
    const { track, news } = tracks.of(trackName(event));
    if (news !== undefined) yield line(news);
    const place = { pid: 1, tid: track, ts: event.at_ms * 1000 };
    const args = { seq, what: describeEvent(event) };
    if (event.kind === "message-sent" || event.kind === "message-delivered") {
      yield line({ ...place, ph: "X", dur: 1, name: event.action, cat: event.kind, args });
      const isSent = event.kind === "message-sent";
      if (isSent) {
        flows += 1;
        underWay.put(event, flows);
      }
      const id = isSent ? flows : underWay.take(event);
      const end = isSent ? { ph: "s" } : { ph: "f", bp: "e" };
      if (id !== undefined) yield line({ ...place, ...end, id, name: "message", cat: "message" });
      continue;
    }
    // A dropped message is removed, so that a later equal message does not match it.
    if (event.kind === "message-dropped") underWay.take(event);
    const span = spanOf(event);
    if (span === undefined) {
      yield line({ ...place, ph: "i", s: "t", name: event.kind, cat: "event", args });
      continue;
    }
    // An end event is matched by the name and id of its start event.
    const begun = span.isStart ? { id: seq, name: span.name } : open.get(span.key);
    if (begun === undefined) continue;
    open.set(span.key, begun);
    yield line({ ...place, ph: span.isStart ? "b" : "e", ...begun, cat: span.category, args });
  }
  yield "\n]}\n";
};

function trackName(event: RecordedEvent): string {
  if (event.kind === "client-request" || event.kind === "client-response")
    return `client ${event.client}`;
  if (event.kind === "fault-started" || event.kind === "fault-ended") return "faults";
  return event.node === "" ? "world" : event.node;
}

function createTracks() {
  const numbers = new Map<string, number>();
  return {
    /** Number of the track, and the row that names it on its first use. */
    of: (name: string): { readonly track: number; readonly news: Row | undefined } => {
      const known = numbers.get(name);
      if (known !== undefined) return { track: known, news: undefined };
      const track = numbers.size + 1;
      numbers.set(name, track);
      return {
        track,
        news: { ph: "M", pid: 1, tid: track, name: "thread_name", args: { name } },
      };
    },
  };
}

interface Span {
  readonly key: string;
  readonly name: string;
  readonly category: string;
  readonly isStart: boolean;
}

function spanOf(event: RecordedEvent): Span | undefined {
  switch (event.kind) {
    case "client-request":
    case "client-response": {
      const isStart = event.kind === "client-request";
      const name = isStart ? event.operation : "answer";
      return { key: `${event.client}:${event.id}`, name, category: "client", isStart };
    }
    case "fault-started":
    case "fault-ended": {
      const key = `${event.fault}:${event.description}`;
      const isStart = event.kind === "fault-started";
      return { key, name: event.fault, category: "fault", isStart };
    }
    default:
      return undefined;
  }
}
