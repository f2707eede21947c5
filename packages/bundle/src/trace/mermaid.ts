/**
 * Mermaid sequence diagram: nodes as participants, delivered and dropped messages as arrows, other
 * events as notes.
 */
import { printable } from "./printable.ts";
import type { RecordedEvent } from "../types.ts";
import type { TraceFormat } from "./format.ts";

/** Limit of lines that Mermaid renders in reasonable time. */
const MOST_LINES = 400;

export const mermaid: TraceFormat = function* mermaid(events) {
  const participants = new Set<string>();
  const lines: string[] = [];
  let left = 0;
  for (const { event } of events) {
    const line = lineOf(event);
    if (line === undefined) continue;
    if (lines.length >= MOST_LINES) {
      left += 1;
      continue;
    }
    for (const name of line.of) participants.add(name);
    lines.push(`  ${line.text}`);
  }
  yield "sequenceDiagram\n";
  for (const name of [...participants].toSorted()) yield `  participant ${name}\n`;
  for (const line of lines) yield `${line}\n`;
  if (left > 0)
    yield `  %% ${left} more are left out: narrow it with --from, --to, --node, --action\n`;
};

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
