/** Overview of a run over time: nodes up and elected, outcomes of client requests, and faults. */
import { greatest } from "@orrery/stdx";
import {
  clusterLabel,
  drawFaults,
  drawFindings,
  drawTicks,
  laneLabel,
  svg,
  type Axis,
} from "./axis.ts";
import { duration, escape, px } from "./html.ts";
import type { Span, RunData } from "./run-data.ts";

const LANE = 26;
const HEAD = 22;
const CLIENTS = 70;
const BINS = 120;

export function drawTimeline(run: RunData, axis: Axis): string {
  const { lanes, heads, bottom } = placesOf(run);
  const clientsTop = bottom + 10;
  const height = clientsTop + CLIENTS + 24;
  const bar = (span: Span, of: "up" | "term"): string => {
    const y = lanes.get(span.node);
    if (y === undefined || span.fromMs > axis.endMs) return "";
    const from = axis.x(span.fromMs);
    const width = Math.max(1, axis.x(span.toMs ?? axis.endMs) - from);
    const [top, tall] = of === "up" ? [3, 14] : [7, 6];
    const until = span.toMs === undefined ? "the end" : duration(span.toMs);
    const title = `${span.node} ${span.how}, ${duration(span.fromMs)} to ${until}`;
    return `<rect class="${of}" x="${px(from)}" y="${px(y + top)}" width="${px(width)}" height="${tall}" rx="2"><title>${escape(title)}</title></rect>`;
  };
  const parts = [
    drawTicks(axis, height),
    drawFaults(axis, run.faults, height),
    ...heads.map(({ cluster, y }) => clusterLabel(cluster, y + 13)),
    ...[...lanes].map(([node, y]) => laneLabel(node, y + 13)),
    ...run.up.map((span) => bar(span, "up")),
    ...run.terms.map((span) => bar(span, "term")),
    laneLabel("clients", clientsTop + CLIENTS / 2),
    drawClients(run, axis, clientsTop),
    drawFindings(
      axis,
      run.findings.map(({ atMs }) => atMs),
      height,
    ),
  ];
  return svg(
    { height, axis, label: "timeline of nodes, faults and client requests" },
    parts.join(""),
  );
}

interface Places {
  readonly lanes: ReadonlyMap<string, number>;
  /** Headings of clusters, if there are several. */
  readonly heads: readonly { readonly cluster: string; readonly y: number }[];
  readonly bottom: number;
}

function placesOf({ clusters }: RunData): Places {
  const lanes = new Map<string, number>();
  const heads: { cluster: string; y: number }[] = [];
  let bottom = 8;
  for (const { cluster, nodes } of clusters) {
    if (cluster !== "") {
      heads.push({ cluster, y: bottom });
      bottom += HEAD;
    }
    for (const node of nodes) {
      lanes.set(node, bottom);
      bottom += LANE;
    }
  }
  return { lanes, heads, bottom };
}

const OUTCOMES = ["ok", "failed", "unknown"] as const;

/** Stacked bars of client requests by outcome, at the time they were sent. */
function drawClients(run: RunData, axis: Axis, top: number): string {
  const bins = Array.from({ length: BINS }, () => ({ ok: 0, failed: 0, unknown: 0 }));
  for (const { invokedMs, outcome } of run.operations) {
    const bin = bins[Math.min(BINS - 1, Math.floor((invokedMs / axis.endMs) * BINS))];
    if (bin !== undefined && invokedMs <= axis.endMs) bin[outcome] += 1;
  }
  const most = Math.max(1, greatest(bins.map(({ ok, failed, unknown }) => ok + failed + unknown)));
  const width = (axis.right - axis.left) / BINS;
  const bars = bins.flatMap((bin, i) => {
    let y = top + CLIENTS;
    const title = `${duration((i * axis.endMs) / BINS)}: ${bin.ok} ok, ${bin.failed} failed, ${bin.unknown} unknown`;
    return OUTCOMES.filter((outcome) => bin[outcome] > 0).map((outcome) => {
      const tall = (bin[outcome] / most) * CLIENTS;
      y -= tall;
      return `<rect class="${escape(outcome)}" x="${px(axis.left + i * width)}" y="${px(y)}" width="${px(width - 0.5)}" height="${px(tall)}"><title>${title}</title></rect>`;
    });
  });
  return bars.join("");
}
