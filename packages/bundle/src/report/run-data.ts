/** Data of a run that a report needs, read from its bundle in two passes: one for its story and cause, one for its steps. */
import type { Bundle } from "../reader.ts";
import {
  createSentMessages,
  isMessage,
  type SentMessages,
  type MessageEvent,
} from "../trace/sent-messages.ts";
import { causeOf, type Cause } from "../cause/cause.ts";
import { createEvidence } from "../cause/evidence.ts";
import { createStory, type EndedStory } from "../story/story.ts";
import { tracedEvents } from "../trace/table.ts";
import { createNames, type Names } from "./ids.ts";
import { wordsOf } from "./step-words.ts";
import { createStepCollector, rangesOf, type Ranges } from "./window.ts";
import type {
  Finding,
  ObservedState,
  RecordedEvent,
  StoredCopy,
  StoredFault,
  StoredOperation,
  StoredState,
  Subject,
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
  /** Shard that it is about, in the form `index/number`. */
  readonly shard?: string;
  /** Client and number of a client's request. */
  readonly request?: string;
  /** Event as it was recorded, one line of JSON. */
  readonly json: string;
}

/** Steps that the space-time diagram shows. */
export interface Window {
  readonly steps: readonly Step[];
  /** Reason for choosing these steps, as the report's caption. */
  readonly why: string;
  /** Number of steps of the run that are not shown. */
  readonly leftOut: number;
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
  /** Most important moments of the run. */
  readonly story: EndedStory;
  /** Cause of the first finding; `undefined` if there is none, or it names no subject. */
  readonly cause: Cause | undefined;
  /** Requests of clients that the first finding names, with the document of each: `client#number`. */
  readonly requests: ReadonlyMap<string, Subject>;
  /** Steps around the cause, or around the first fault. */
  readonly window: Window;
  /** Last steps that touch what the first finding concerns. */
  readonly last: readonly Step[];
  readonly operations: readonly StoredOperation[];
  readonly faults: readonly StoredFault[];
  readonly findings: readonly Finding[];
  /** Time of the last action of clients or faults. */
  readonly lastActionMs: number;
}

export function readRunData(bundle: Bundle): RunData {
  const [up, terms] = [createSpans(), createSpans()];
  const faults = bundle.faults();
  const nodes = new Set<string>();
  const names = createNames();
  const story = createStory();
  const evidence = createEvidence();
  const states = observedStates(bundle);
  let next = 0;
  for (const { event } of tracedEvents(bundle, {})) {
    for (let state = states[next]; state && state.atMs <= event.at_ms; state = states[next]) {
      story.state(state.atMs, state.state);
      evidence.state(state.atMs, state.state);
      next += 1;
    }
    if (event.node !== "") nodes.add(event.node);
    followNode(event, up, terms);
    names.learn(event);
    story.event(event);
    evidence.event(event);
  }
  const findings = bundle.findings.map((one) => ({ ...one, says: names.named(one.says) }));
  const [first] = findings;
  const cause = first && causeOf(first, evidence);
  const operations = bundle.operations();
  const ends = [
    ...operations.map(({ completedMs, invokedMs }) => completedMs ?? invokedMs),
    ...faults.map(({ fromMs, toMs }) => toMs ?? fromMs),
    ...findings.map(({ atMs }) => atMs),
  ];
  const lastActionMs = ends.reduce((last, end) => Math.max(last, end), 1);
  const subjects = (first?.subjects ?? []).filter((one) => one.client !== undefined);
  const requests = new Map(subjects.map((one) => [`${one.client}#${one.request}`, one]));
  const ranges = rangesOf(cause, findings, faults, lastActionMs);
  const clusters = byCluster([...nodes].toSorted(byNumber), bundle.states());
  return {
    ...{ clusters, nodes: clusters.flatMap((members) => members.nodes) },
    ...{ up: up.all, terms: terms.all, story: story.end(), cause, requests },
    ...readSteps(bundle, { names, cause, requests, ranges }),
    ...{ operations, faults, findings, lastActionMs },
  };
}

/** Stored states with their shard tables, in the order in which they were observed. */
function observedStates(
  bundle: Bundle,
): readonly { readonly atMs: number; readonly state: ObservedState }[] {
  const tables = new Map<string, StoredCopy[]>();
  for (const copy of bundle.copies()) {
    const key = `${copy.cluster}/${copy.version}`;
    const table = tables.get(key);
    if (table === undefined) tables.set(key, [copy]);
    else table.push(copy);
  }
  /** Latest shard table of each cluster: most versions repeat no rows. */
  const latest = new Map<string, readonly StoredCopy[]>();
  return bundle.states().map(({ atMs, ...state }) => {
    const { cluster, version } = state;
    const shards = tables.get(`${cluster}/${version}`) ?? latest.get(cluster) ?? [];
    latest.set(cluster, shards);
    const indices = new Map(shards.map(({ index }) => [index, { uuid: "" }]));
    return { atMs, state: { ...state, indices, shards } };
  });
}

interface StepInputs extends Pick<RunData, "cause" | "requests"> {
  readonly names: Names;
  readonly ranges: Ranges;
}

/** Number of the last steps that touch what the finding concerns. */
const MOST_LAST = 20;

/** Second pass: the steps of the window, and the last ones that touch what the finding concerns. */
function readSteps(
  bundle: Bundle,
  { names, cause, requests, ranges }: StepInputs,
): Pick<RunData, "window" | "last"> {
  const collector = createStepCollector(ranges);
  const sent = createSentMessages<number>();
  let last: Step[] = [];
  for (const { seq, event, json, index, shard } of tracedEvents(bundle, {})) {
    if (withoutStep.has(event.kind)) continue;
    // Sends outside the window count, too: their deliveries may lie inside it.
    const sentSeq = isMessage(event) ? followMessage(seq, event, sent) : undefined;
    const place = index === null || shard === null ? undefined : `${index}/${shard}`;
    const make = (): Step => stepOf(event, { seq, json, sentSeq, shard: place, names });
    const isConcerned = touches(event, place, { cause, requests });
    collector.add(event.at_ms, isConcerned, make);
    if (!isConcerned) continue;
    last.push(make());
    if (last.length > 4 * MOST_LAST) last = last.slice(-MOST_LAST);
  }
  return { window: collector.shown(), last: last.slice(-MOST_LAST) };
}

/** True if the event touches what the finding concerns: its shards, its clients' requests, what struck its nodes. */
function touches(
  event: RecordedEvent,
  shard: string | undefined,
  { cause, requests }: Pick<RunData, "cause" | "requests">,
): boolean {
  if (cause === undefined) return false;
  if (shard !== undefined && cause.shards.includes(shard)) return true;
  switch (event.kind) {
    case "client-request":
    case "client-response":
      return requests.has(`${event.client}#${event.id}`);
    case "fault-started":
    case "fault-ended":
      return (
        cause.nodes.length === 0 || cause.nodes.some((node) => event.description.includes(node))
      );
    case "node-started":
    case "node-stopped":
    case "node-crashed":
    case "cluster-manager-elected":
    case "cluster-manager-stepped-down":
      return cause.nodes.includes(event.node);
    default:
      return cause.shards.length === 0 && cause.nodes.includes(event.node) && !isMessage(event);
  }
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

interface StepParts {
  readonly seq: number;
  readonly json: string;
  readonly sentSeq: number | undefined;
  readonly shard: string | undefined;
  readonly names: Names;
}

function stepOf(event: RecordedEvent, { seq, json, sentSeq, shard, names }: StepParts): Step {
  const { at_ms: atMs, node: lane, kind } = event;
  const step = {
    ...{ seq, atMs, lane, kind, json, text: names.named(wordsOf(event)) },
    ...(shard === undefined ? {} : { shard }),
  };
  if (event.kind === "client-request" || event.kind === "client-response")
    return { ...step, request: `${event.client}#${event.id}` };
  if (!isMessage(event)) return step;
  const { action, from } = event;
  if (event.kind === "message-sent") return { ...step, action };
  return { ...step, action, from, ...(sentSeq === undefined ? {} : { sentSeq }) };
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
