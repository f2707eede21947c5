/**
 * Space-time diagram around the failure: nodes side by side, time downwards, one row for each step,
 * messages as arrows from the row of their sending to the row of their delivery.
 */
import { greatest, least } from "@orrery/stdx";
import { escape, px } from "./html.ts";
import type { ClusterNodes, Step, RunData } from "./run-data.ts";
import type { StoredFault } from "../types.ts";

const ROW = 15;
const LANE = 110;
const LEFT = 90;
const GAP = 30;
const HEAD = 22;

export function drawSpaceTime(run: RunData): string {
  const { steps } = run.window;
  const names = run.nodes;
  const several = run.clusters.length > 1;
  const { x, right } = columnsOf(run);
  const textAt = right + 10;
  const width = textAt + 720;
  const top = several ? HEAD : 0;
  const y = (row: number): number => top + 34 + row * ROW;
  const height = y(steps.length + 1);
  const rowOf = new Map(steps.map(({ seq }, i) => [seq, i]));
  const parts = [
    ...names.map((name) => {
      const at = px(x.get(name) ?? 0);
      return `<text class="lane" x="${at}" y="${top + 14}" text-anchor="middle">${escape(name)}</text><line class="life" x1="${at}" x2="${at}" y1="${top + 20}" y2="${height}"/>`;
    }),
    ...(several ? run.clusters : []).map((members) => clusterHead(members, x)),
    drawBands(run.faults, steps, { y, width }),
    ...run.findings.map(({ atMs, says }) => {
      const row = steps.findIndex((step) => step.atMs > atMs);
      const at = px(y(row === -1 ? steps.length : row) - ROW / 2);
      return `<line class="finding-line" x1="0" x2="${width}" y1="${at}" y2="${at}"><title>${escape(says)}</title></line>`;
    }),
    ...steps.map((step, row) => drawStep(step, { x, y, rowOf, row, textAt })),
  ];
  return `<div class="scroll"><svg style="width:${width}px" viewBox="0 0 ${width} ${height}" role="img" aria-label="space-time diagram">${parts.join("")}</svg></div>`;
}

/** X coordinate of each node's line; clusters are separated by a gap. */
function columnsOf({ clusters }: RunData): {
  readonly x: ReadonlyMap<string, number>;
  readonly right: number;
} {
  const x = new Map<string, number>();
  let right = LEFT;
  for (const [i, { nodes }] of clusters.entries()) {
    if (i > 0) right += GAP;
    for (const node of nodes) {
      x.set(node, right + LANE / 2);
      right += LANE;
    }
  }
  return { x, right };
}

function clusterHead({ cluster, nodes }: ClusterNodes, x: ReadonlyMap<string, number>): string {
  const places = nodes.flatMap((node) => x.get(node) ?? []);
  const [from, to] = [least(places) - LANE / 2 + 8, greatest(places) + LANE / 2 - 8];
  if (places.length === 0) return "";
  return `<text class="cluster" x="${px((from + to) / 2)}" y="14" text-anchor="middle">${escape(cluster)}</text><line class="tick" x1="${px(from)}" x2="${px(to)}" y1="20" y2="20"/>`;
}

interface Drawing {
  readonly x: ReadonlyMap<string, number>;
  readonly y: (row: number) => number;
  readonly rowOf: ReadonlyMap<number, number>;
  readonly row: number;
  readonly textAt: number;
}

function drawStep(step: Step, { x, y, rowOf, row, textAt }: Drawing): string {
  const at = y(row);
  const kind = classOf(step);
  const time = `<text class="label" x="${LEFT - 8}" y="${px(at + 4)}" text-anchor="end">${step.atMs.toFixed(2)}</text>`;
  const said = `${step.kind.replace("message-", "")}  ${step.text}`;
  const text = `<text class="step ${escape(kind)}" x="${textAt}" y="${px(at + 4)}">${escape(said.slice(0, 120))}</text>`;
  const here = x.get(step.lane);
  if (here === undefined) return time + text;
  const dot = `<circle class="dot ${escape(kind)}" cx="${px(here)}" cy="${px(at)}" r="3"><title>${escape(said)}</title></circle>`;
  const start = x.get(step.from ?? "");
  if (start === undefined || step.from === step.lane) return time + text + dot;
  // Messages sent before the first row enter from above.
  const sentRow = step.sentSeq === undefined ? row - 1 : (rowOf.get(step.sentSeq) ?? -1);
  const from = y(Math.max(-0.6, sentRow));
  const arrow = `<line class="arrow ${escape(kind)}" x1="${px(start)}" y1="${px(from)}" x2="${px(here)}" y2="${px(at)}"><title>${escape(said)}</title></line>`;
  return time + text + arrow + dot;
}

function classOf({ kind, action }: Step): string {
  if (kind === "message-dropped" || kind === "node-crashed" || kind === "disk-failed") return "bad";
  if (kind.startsWith("fault")) return "bad";
  if (kind.startsWith("client")) return "client";
  if (action === undefined) return "state";
  if (/consensus|ping|handshake|coordination/.test(action)) return "quiet";
  return /recovery/.test(action) ? "recovery" : "message";
}

interface Bands {
  readonly y: (row: number) => number;
  readonly width: number;
}

/** Background bands of the rows during which a fault lasted. */
function drawBands(
  faults: readonly StoredFault[],
  steps: readonly Step[],
  { y, width }: Bands,
): string {
  return faults
    .map(({ kind, description, fromMs, toMs }) => {
      const first = steps.findIndex(({ atMs }) => atMs >= fromMs);
      const last = steps.findLastIndex(({ atMs }) => toMs === undefined || atMs <= toMs);
      if (first === -1 || last < first) return "";
      const top = y(first) - ROW / 2;
      const tall = (last - first + 1) * ROW;
      return `<rect class="fault" x="0" y="${px(top)}" width="${width}" height="${px(tall)}"><title>${escape(`${kind}: ${description}`)}</title></rect>`;
    })
    .join("");
}
