/**
 * Mermaid sequence diagram: nodes as participants, delivered and dropped messages as arrows, other
 * events as notes.
 */
import { printable } from "./printable.ts";
import { isMessage } from "./sent-messages.ts";
import type { RecordedEvent } from "../types.ts";
import type { TraceFormat } from "./format.ts";

/** Arrows and notes that fit a page: a longer diagram cannot be read. */
const MOST_LINES = 60;

export const mermaid: TraceFormat = function* mermaid(events, { focusMs, isFiltered }) {
  const window = createLineWindow(focusMs);
  for (const { event } of events) {
    // Heartbeats, log entries and joins are told by what they lead to, unless they were asked for.
    if (!isFiltered && isBackground(event)) continue;
    const line = lineOf(event);
    if (line !== undefined) window.add(event.at_ms, line);
  }
  const { lines, before, after } = window.shown();
  const participants = new Set(lines.flatMap(({ of }) => of));
  yield "sequenceDiagram\n";
  for (const name of [...participants].toSorted()) yield `  participant ${name}\n`;
  const [first = ""] = [...participants].toSorted();
  const cut = (count: number, where: string): string =>
    `  Note over ${first}: ${count} more ${where}, see --from, --to, --node, --index, --shard, --action\n`;
  if (before > 0) yield cut(before, "before");
  for (const { text } of lines) yield `  ${text}\n`;
  if (after > 0) yield cut(after, "after");
};

function isBackground(event: RecordedEvent): boolean {
  return (
    isMessage(event) &&
    /consensus|ping|handshake|coordination|cluster\/state\/applied|leader_check|follower_check/.test(
      event.action,
    )
  );
}

interface ShownLines {
  readonly lines: readonly Line[];
  /** Number of lines that are left out before and after. */
  readonly before: number;
  readonly after: number;
}

/** The lines around a time, a third of them before it; without a time the first ones. */
function createLineWindow(focusMs: number | undefined) {
  const most = MOST_LINES;
  const lead = focusMs === undefined ? most : Math.floor(most / 3);
  let early: Line[] = [];
  let before = 0;
  const late: Line[] = [];
  let after = 0;
  return {
    add: (atMs: number, line: Line): void => {
      if (focusMs === undefined ? early.length < most : atMs < focusMs) {
        early.push(line);
        if (early.length > most) {
          early = early.slice(1);
          before += 1;
        }
      } else if (focusMs !== undefined && late.length < most) late.push(line);
      else after += 1;
    },
    shown: (): ShownLines => {
      if (focusMs === undefined) return { lines: early, before, after };
      const kept = early.slice(-Math.max(lead, most - late.length));
      const rest = late.slice(0, most - kept.length);
      return {
        lines: [...kept, ...rest],
        before: before + early.length - kept.length,
        after: after + late.length - rest.length,
      };
    },
  };
}

interface Line {
  readonly text: string;
  readonly of: readonly string[];
}

function lineOf(event: RecordedEvent): Line | undefined {
  const { node } = event;
  const at = `${event.at_ms.toFixed(1)} ms`;
  const note = (what: string, of: string = node): Line => ({
    text: `Note over ${word(of)}: ${clean(`${at} ${what}`)}`,
    of: [word(of)],
  });
  switch (event.kind) {
    case "message-delivered":
    case "message-dropped": {
      const { from, to, action, frameKind } = event;
      const isLost = event.kind === "message-dropped";
      const arrow = isLost ? "-x" : frameKind === "response" ? "-->>" : "->>";
      const why = isLost ? `: ${event.reason}` : "";
      const [sender, receiver] = [word(from), word(to)];
      const said = clean(`${at} ${action}${why}`);
      return { text: `${sender}${arrow}${receiver}: ${said}`, of: [sender, receiver] };
    }
    case "node-started":
      return note("started");
    case "node-stopped":
      return note("stopped");
    case "node-crashed":
      return note("crashed");
    case "cluster-manager-elected":
      return note(`elected, term ${event.term}`);
    case "cluster-manager-stepped-down":
      return note(`steps down, term ${event.term}`);
    case "cluster-state-applied":
      return note(`applies version ${event.version}`);
    case "shard-state-changed":
      return note(`[${event.index}][${event.shard}] ${event.state}`);
    case "client-request":
      return note(event.operation, event.client);
    case "client-response":
      return note(`${event.status} ${event.outcome}`, event.client);
    case "fault-started":
    case "fault-ended":
      return note(`${event.kind} ${event.fault}`, "faults");
    default:
      return undefined;
  }
}

/** Name as one word without Mermaid's special characters, which are replaced one by one. */
function word(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_") || "_";
}

/** Text without semicolons, hashes and double percent signs, which Mermaid interprets. */
function clean(text: string): string {
  return printable(text.replaceAll(/[;#\n]|%{2,}/g, " "));
}
