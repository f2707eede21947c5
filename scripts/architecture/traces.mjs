/**
 * Annotated traces of docs/ARCHITECTURE.md, message by message, from a simulated run of write-and-search.yaml.
 *
 * The annotations (annotations.yaml) are steps with patterns of events. Each event of a trace belongs to the first step that has a
 * matching pattern; an event without a step, and a step without an event, are errors, so that neither can go stale.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { lab } from "../../packages/cli/src/lab.ts";
import { parseScenario, runScenario } from "../../packages/scenario/src/index.ts";

const SCENARIO = "scripts/architecture/write-and-search.yaml";
const SEED = 7;

const fileOf = (name) => readFileSync(join(import.meta.dirname, name), "utf8");

/** Markdown of each trace, by its name in annotations.yaml. */
export async function annotatedTraces() {
  const plan = parseScenario(SCENARIO, fileOf("write-and-search.yaml"), lab);
  const events = [];
  const { verdict } = await runScenario(plan, SEED, {
    ...lab,
    onEvent: (event) => events.push(event),
  });
  if (verdict !== "pass") throw new Error(`${SCENARIO}, seed ${SEED}: ${verdict}`);
  const { unnoted, traces } = parse(fileOf("annotations.yaml"));
  return new Map(
    Object.entries(traces).map(([name, { request, steps }]) => {
      const span = spanOf(events, request);
      const noted = span.filter(({ kind }) => !unnoted.includes(kind));
      return [name, markdown(steps, withOccurrences(noted), span)];
    }),
  );
}

/** Events from a client's request to its response, both included. */
function spanOf(events, request) {
  const start = events.findIndex(
    ({ kind, operation }) => kind === "client-request" && operation === request,
  );
  if (start === -1) throw new Error(`${SCENARIO} has no request [${request}]`);
  const { client, id } = events[start];
  const isResponse = (event) =>
    event.kind === "client-response" && event.client === client && event.id === id;
  return events.slice(start, events.findIndex(isResponse) + 1);
}

/** `occurrence` counts messages of one action and frame kind between the same two nodes, from 1. */
function withOccurrences(events) {
  const counts = new Map();
  return events.map((event) => {
    const key = [event.kind, event.action, event.frameKind, event.from, event.to].join();
    const occurrence = (counts.get(key) ?? 0) + 1;
    counts.set(key, occurrence);
    return { event, occurrence };
  });
}

function markdown(steps, noted, span) {
  const lines = steps.map(() => []);
  const [{ at_ms: startMs }] = span;
  for (const { event, occurrence } of noted) {
    const values = { ...event, occurrence };
    const at = steps.findIndex(({ events }) => events.some((pattern) => matches(values, pattern)));
    if (at === -1) throw new Error(`annotations.yaml has no step for ${JSON.stringify(values)}`);
    lines[at].push(lineOf(event, span, startMs));
  }
  const items = steps.map(({ title, text }, i) => {
    if (lines[i].length === 0) throw new Error(`no event matches the step [${title}]`);
    const marker = `${i + 1}. `;
    const item = [...wrapped(`**${title}.** ${text}`), "", "```text", ...lines[i], "```"];
    return item
      .map((line, at) => (at === 0 ? marker : " ".repeat(line === "" ? 0 : marker.length)) + line)
      .join("\n");
  });
  return items.join("\n\n");
}

const WIDTH = 126;

function wrapped(text) {
  return text
    .trim()
    .split(/\s+/)
    .reduce((lines, word) => {
      const last = lines.at(-1);
      const isFull = last === undefined || `${last} ${word}`.length > WIDTH;
      return isFull ? [...lines, word] : [...lines.slice(0, -1), `${last} ${word}`];
    }, []);
}

function matches(values, pattern) {
  return Object.entries(pattern).every(([key, wanted]) =>
    key === "path" ? values.path?.includes(wanted) === true : values[key] === wanted,
  );
}

function lineOf(event, span, startMs) {
  const time = (ms) => `${(ms - startMs).toFixed(1).padStart(5)} ms`;
  const at = time(event.at_ms);
  switch (event.kind) {
    case "client-request":
      return `${at}  client → node-4   ${event.operation}`;
    case "client-response":
      return `${at}  node-4 → client   ${event.status}`;
    case "message-sent": {
      const { from, to, action, frameKind, sizeBytes, shard } = event;
      const about = shard === undefined ? "" : `, books/${shard.split("/")[1]}`;
      const arrival = arrivalOf(event, span);
      const arrives =
        arrival === undefined ? "arrives later" : `arrives at ${time(arrival).trim()}`;
      return `${at}  ${from} → ${to}   ${action}  ${frameKind}, ${sizeBytes} bytes${about}, ${arrives}`;
    }
    case "disk-synced":
      return `${at}  ${event.node}            synced: ${event.path.replace(/^indices\/[^/]+/, "books")}`;
    case "log-entry-saved":
      return `${at}  ${event.node}            saved: log entry ${event.index} of term ${event.term}`;
    case "cluster-state-applied":
      return `${at}  ${event.node}            applied: cluster state version ${event.version}`;
    default:
      throw new Error(`no line for events of kind [${event.kind}]`);
  }
}

const SAME = ["from", "to", "action", "correlationId", "frameKind", "sizeBytes"];

/** Messages of one connection arrive in the order in which they were sent. */
function arrivalOf(sent, span) {
  const isSame = (event) => SAME.every((key) => event[key] === sent[key]);
  const place = span.filter((event) => event.kind === sent.kind && isSame(event)).indexOf(sent);
  const arrivals = span.filter((event) => event.kind === "message-delivered" && isSame(event));
  return arrivals[place]?.at_ms;
}
