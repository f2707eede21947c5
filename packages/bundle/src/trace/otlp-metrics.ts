/** Counters of a run for OpenTelemetry over virtual time: at the end of each second in which one has risen, its sum since the start. */
import type { RecordedEvent, RunRecord } from "../types.ts";
import type { TraceFormat } from "./format.ts";
import { attributeList, resourceOf, scope, unixNanos, type Attributes } from "./otlp-json.ts";

const STEP_MS = 1000;
const CUMULATIVE = 2;

interface Counter {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
}

const counters = {
  sent: { name: "orrery.messages.sent", unit: "{message}", description: "Messages sent" },
  bytes: { name: "orrery.messages.bytes", unit: "By", description: "Bytes of messages sent" },
  dropped: { name: "orrery.messages.dropped", unit: "{message}", description: "Messages lost" },
  requests: {
    name: "orrery.client.requests",
    unit: "{request}",
    description: "Answered requests of clients",
  },
  states: {
    name: "orrery.cluster_states.applied",
    unit: "{state}",
    description: "Cluster states applied",
  },
  elections: {
    name: "orrery.elections.won",
    unit: "{election}",
    description: "Elections that the node has won",
  },
} as const satisfies Record<string, Counter>;

/** A sum for one node or client and one set of attributes. */
interface Sum {
  readonly counter: Counter;
  readonly place: string;
  readonly attributes: Attributes;
  value: number;
  hasRisen: boolean;
}

export const otlpMetrics: TraceFormat = function* otlpMetrics(events, { run }) {
  const sums = new Map<string, Sum>();
  let endMs = STEP_MS;
  for (const { event } of events) {
    if (event.at_ms >= endMs) {
      yield* line(run, sums, endMs);
      endMs = (Math.floor(event.at_ms / STEP_MS) + 1) * STEP_MS;
    }
    for (const [name, place, attributes, by] of risesOf(event)) {
      const key = JSON.stringify([name, place, attributes]);
      let sum = sums.get(key);
      if (sum === undefined) {
        sum = { counter: counters[name], place, attributes, value: 0, hasRisen: false };
        sums.set(key, sum);
      }
      sum.value += by;
      sum.hasRisen = true;
    }
  }
  yield* line(run, sums, endMs);
};

type Rise = readonly [
  name: keyof typeof counters,
  place: string,
  attributes: Attributes,
  by: number,
];

function risesOf(event: RecordedEvent): readonly Rise[] {
  switch (event.kind) {
    case "message-sent": {
      const { from, action, sizeBytes } = event;
      return [
        ["sent", from, { action }, 1],
        ["bytes", from, { action }, sizeBytes],
      ];
    }
    case "message-dropped":
      return [["dropped", event.from, { action: event.action, reason: event.reason }, 1]];
    case "client-response":
      return [["requests", event.client, { outcome: event.outcome }, 1]];
    case "cluster-state-applied":
      return [["states", event.node, {}, 1]];
    case "cluster-manager-elected":
      return [["elections", event.node, {}, 1]];
    default:
      return [];
  }
}

/** One line, or none if nothing has risen. */
function* line(run: RunRecord, sums: ReadonlyMap<string, Sum>, endMs: number): Generator<string> {
  const places = new Map<string, Map<Counter, object[]>>();
  for (const sum of sums.values()) {
    if (!sum.hasRisen) continue;
    sum.hasRisen = false;
    const metrics = places.get(sum.place) ?? new Map<Counter, object[]>();
    places.set(sum.place, metrics);
    const points = metrics.get(sum.counter) ?? [];
    metrics.set(sum.counter, points);
    points.push({
      attributes: attributeList(sum.attributes),
      startTimeUnixNano: unixNanos(0),
      timeUnixNano: unixNanos(endMs),
      asInt: String(sum.value),
    });
  }
  if (places.size === 0) return;
  const resourceMetrics = [...places].map(([place, metrics]) => ({
    resource: resourceOf(run, place),
    scopeMetrics: [
      {
        scope,
        metrics: [...metrics].map(([counter, dataPoints]) => ({
          ...counter,
          sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true },
        })),
      },
    ],
  }));
  yield `${JSON.stringify({ resourceMetrics })}\n`;
}
