/** Data of a run that the drawings of a report need, read from its bundle in one pass. */
import type { Bundle } from "../reader.ts";
import {
  createSentMessages,
  isMessage,
  type SentMessages,
  type MessageEvent,
} from "../trace/sent-messages.ts";
import { tracedEvents } from "../trace/table.ts";
import { describeEvent } from "../trace/describe.ts";
import type {
  Finding,
  RecordedEvent,
  StoredFault,
  StoredOperation,
  StoredState,
} from "../types.ts";

/** Time range of a node; `toMs` is `undefined` if it lasts until the end of the run. */
export interface Span {
  readonly node: string;
  readonly fromMs: number;
  toMs: number | undefined;
  readonly how: string;
}

/** One row of the space-time diagram. */
export interface Step {
  readonly seq: number;
  readonly atMs: number;
  readonly lane: string;
  readonly kind: string;
  readonly text: string;
  /**
   * Number of the step that sent the message, on a delivery or a drop; `undefined` if it is
   * unknown.
   */
  readonly sentSeq?: number;
  readonly from?: string;
  readonly action?: string;
}

/** Steps that the space-time diagram shows. */
export interface Window {
  readonly steps: readonly Step[];
  /** Reason for choosing these steps, as the report's caption. */
  readonly why: string;
}

/** Nodes of one cluster. */
export interface ClusterNodes {
  /** Name of the cluster; empty if the run has only one. */
  readonly cluster: string;
  readonly nodes: readonly string[];
}

export interface RunData {
  readonly clusters: readonly ClusterNodes[];
  /** Nodes of all clusters, in the order of their clusters. */
  readonly nodes: readonly string[];
  readonly up: readonly Span[];
  readonly terms: readonly Span[];
  /** Steps around the first finding or fault. */
  readonly window: Window;
  readonly operations: readonly StoredOperation[];
  readonly faults: readonly StoredFault[];
  readonly findings: readonly Finding[];
  /** Time of the last action of clients or faults. */
  readonly lastActionMs: number;
}

export function readRunData(bundle: Bundle): RunData {
  const [up, terms] = [createSpans(), createSpans()];
  const faults = bundle.faults();
  const window = createWindow(bundle.findings, faults);
  const sent = createSentMessages<number>();
  const nodes = new Set<string>();
  for (const { seq, event } of tracedEvents(bundle, {})) {
    if (event.node !== "") nodes.add(event.node);
    followNode(event, up, terms);
    if (withoutStep.has(event.kind)) continue;
    // Sends outside the window count, too: their deliveries may lie inside it.
    const sentSeq = isMessage(event) ? followMessage(seq, event, sent) : undefined;
    window.add(event.at_ms, () => stepOf(seq, event, sentSeq));
  }
  const clusters = byCluster([...nodes].toSorted(byNumber), bundle.states());
  const operations = bundle.operations();
  const ends = [
    ...operations.map(({ completedMs, invokedMs }) => completedMs ?? invokedMs),
    ...faults.map(({ fromMs, toMs }) => toMs ?? fromMs),
    ...bundle.findings.map(({ atMs }) => atMs),
  ];
  return {
    clusters,
    nodes: clusters.flatMap((members) => members.nodes),
    up: up.all,
    terms: terms.all,
    window: window.shown(),
    ...{ operations, faults },
    findings: bundle.findings,
    lastActionMs: ends.reduce((last, end) => Math.max(last, end), 1),
  };
}

/** Nodes grouped by the first cluster whose state lists them; nodes of no cluster come last. */
function byCluster(
  nodes: readonly string[],
  states: readonly StoredState[],
): readonly ClusterNodes[] {
  const clusterOf = new Map<string, string>();
  for (const { cluster, nodes: members } of states)
    for (const node of members) if (!clusterOf.has(node)) clusterOf.set(node, cluster);
  const names = new Set(states.map(({ cluster }) => cluster));
  if (names.size < 2) return [{ cluster: "", nodes }];
  const lost = nodes.filter((node) => !clusterOf.has(node));
  return [
    ...[...names].map((cluster) => ({
      cluster,
      nodes: nodes.filter((node) => clusterOf.get(node) === cluster),
    })),
    ...(lost.length === 0 ? [] : [{ cluster: "in no cluster", nodes: lost }]),
  ];
}

/** Event kinds left out of the diagram: they are frequent and say little. */
const withoutStep: ReadonlySet<string> = new Set([
  ...["timer-fired", "disk-synced", "log", "connection-opened", "connection-closed"],
]);

/** Number of the step that sent this message, for a delivery or a drop. */
function followMessage(
  seq: number,
  event: MessageEvent,
  sent: SentMessages<number>,
): number | undefined {
  if (event.kind !== "message-sent") return sent.take(event);
  sent.put(event, seq);
  return undefined;
}

function stepOf(seq: number, event: RecordedEvent, sentSeq: number | undefined): Step {
  const { at_ms: atMs, node: lane, kind } = event;
  const step = { seq, atMs, lane, kind, text: describeEvent(event) };
  if (!isMessage(event)) return step;
  const { action, from } = event;
  if (event.kind === "message-sent") return { ...step, action };
  return { ...step, action, from, ...(sentSeq === undefined ? {} : { sentSeq }) };
}

const MOST_STEPS = 150;
/** Steps shown before a finding; below, before a fault if there is no finding. */
const BEFORE_FINDING = 110;
const BEFORE_FAULT = 40;

/** Keeps the steps around the first finding, else around the first fault, else the last ones. */
function createWindow(findings: readonly Finding[], faults: readonly StoredFault[]) {
  const [finding] = findings;
  const [fault] = faults;
  const middleMs = finding?.atMs ?? fault?.fromMs ?? Number.MAX_VALUE;
  const before = finding === undefined && fault !== undefined ? BEFORE_FAULT : BEFORE_FINDING;
  const why =
    finding === undefined
      ? `nothing failed: ${fault === undefined ? "the last steps" : "the steps around the first fault"}`
      : "the steps around the first finding";
  let steps: (() => Step)[] = [];
  let isPast = false;
  return {
    add: (atMs: number, step: () => Step): void => {
      if (!isPast && atMs >= middleMs) {
        isPast = true;
        steps = steps.slice(-before);
      }
      if (isPast && steps.length >= MOST_STEPS) return;
      steps.push(step);
      if (!isPast && steps.length > 10 * MOST_STEPS) steps = steps.slice(-before);
    },
    shown: (): Window => ({
      steps: (isPast ? steps : steps.slice(-before)).map((step) => step()),
      why,
    }),
  };
}

type Spans = ReturnType<typeof createSpans>;

function followNode(event: RecordedEvent, up: Spans, terms: Spans): void {
  const { node, at_ms: atMs } = event;
  switch (event.kind) {
    case "node-started":
      up.open(node, atMs, "up");
      break;
    case "cluster-manager-elected":
      terms.open(node, atMs, `term ${event.term}`);
      break;
    case "cluster-manager-stepped-down":
      terms.close(node, atMs);
      break;
    case "node-stopped":
    case "node-crashed":
      up.close(node, atMs);
      terms.close(node, atMs);
      break;
    default:
  }
}

/** Order of node names in which `node-2` precedes `node-10`. */
function byNumber(a: string, b: string): number {
  const [first, second] = [a, b].map((name) => Number(/\d+$/.exec(name)?.[0] ?? 0));
  if (first !== second) return (first ?? 0) - (second ?? 0);
  return a < b ? -1 : 1;
}

function createSpans() {
  const all: Span[] = [];
  const close = (node: string, atMs: number): void => {
    const open = all.findLast((span) => span.node === node && span.toMs === undefined);
    if (open !== undefined) open.toMs = atMs;
  };
  return {
    all: all as readonly Span[],
    close,
    open: (node: string, fromMs: number, how: string): void => {
      close(node, fromMs);
      all.push({ node, fromMs, toMs: undefined, how });
    },
  };
}
