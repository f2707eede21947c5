/**
 * Logs of the nodes of a test's cluster, as lines of text: what nodes logged, and the moments that explain them (starts, ends and
 * elections). They begin with the test, and only the last lines are kept.
 */
import type { SimulationOptions } from "@orrery/simulator";

type OnEvent = NonNullable<SimulationOptions["onEvent"]>;
type RecordedEvent = Parameters<OnEvent>[0];

export interface ClusterLog {
  readonly hear: OnEvent;
  readonly isHeard: NonNullable<SimulationOptions["isHeard"]>;
  /** Lines with virtual time, node and message, the oldest first. */
  lines(): readonly string[];
  /** Forgets all lines. */
  clear(): void;
}

/** Lines that are kept. */
const MOST_LINES = 60;
/** Length of a line: some messages contain a whole response. */
const LONGEST_LINE = 240;

const kinds: ReadonlySet<RecordedEvent["kind"]> = new Set([
  ...(["log", "node-started", "node-stopped", "node-crashed"] as const),
  ...(["cluster-manager-elected", "cluster-manager-stepped-down", "disk-failed"] as const),
  ...(["fault-started", "fault-ended"] as const),
]);

export function createClusterLog(): ClusterLog {
  let lines: string[] = [];
  let forgotten = 0;
  /** Last message with its node, and how often it was repeated. */
  let last = "";
  let repeated = 0;
  const add = (line: string): void => {
    lines.push(line);
    if (lines.length <= MOST_LINES) return;
    lines.shift();
    forgotten += 1;
  };
  return {
    isHeard: (kind) => kinds.has(kind),
    hear: (event) => {
      const words = wordsOf(event);
      if (words === undefined) return;
      const line = lineOf(event, words);
      const message = `${event.node} ${words}`;
      repeated = message === last ? repeated + 1 : 0;
      last = message;
      if (repeated > 1) lines.pop();
      add(repeated === 0 ? line : `${line} (repeated, ${repeated + 1} times)`);
    },
    lines: () => (forgotten === 0 ? lines.slice() : [`… ${forgotten} earlier lines`, ...lines]),
    clear: () => {
      lines = [];
      forgotten = 0;
      last = "";
    },
  };
}

function lineOf({ at_ms: atMs, node }: RecordedEvent, words: string): string {
  const [first = ""] = words.split("\n");
  const short = first.length > LONGEST_LINE ? `${first.slice(0, LONGEST_LINE)}…` : first;
  const where = node === "" ? "test" : node;
  return `${(atMs / 1000).toFixed(3)} s  ${where}  ${short}`;
}

function wordsOf(event: RecordedEvent): string | undefined {
  switch (event.kind) {
    case "log":
      return `${event.level}: ${event.message}`;
    case "node-started":
      return "starts";
    case "node-stopped":
      return "stops";
    case "node-crashed":
      return "loses power";
    case "cluster-manager-elected":
      return `is elected cluster manager, term ${event.term}`;
    case "cluster-manager-stepped-down":
      return `steps down as cluster manager, term ${event.term}`;
    case "disk-failed":
      return `disk failed: ${event.path}: ${event.reason}`;
    case "fault-started":
      return `fault [${event.fault}] starts: ${event.description}`;
    case "fault-ended":
      return `fault [${event.fault}] ends: ${event.description}`;
    default:
      return undefined;
  }
}
