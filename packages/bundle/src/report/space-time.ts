/**
 * Space-time diagram around the failure: nodes side by side, time downwards, one row for each step,
 * messages as arrows from the row of their sending to the row of their delivery.
 */
import { greatest, least } from "@orrery/stdx";
import { duration, escape, px } from "./html.ts";
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
  const top = (several ? HEAD : 0) + 34;
  const rows = rowsOf(steps, top);
  const placeOf = new Map(steps.map(({ seq }, i) => [seq, rows[i]?.y ?? 0]));
  const height = (rows.at(-1)?.y ?? top) + 2 * ROW;
  const found = run.findings.map(({ atMs, says }) => {
    const row = rows[steps.findIndex((step) => step.atMs > atMs)];
    const at = px((row?.y ?? height - ROW) - ROW / 2);
    return `<line class="finding-line" x1="0" x2="${width}" y1="${at}" y2="${at}"><title>${escape(says)}</title></line>`;
  });
  const parts = [
    ...names.map((name) => {
      const at = px(x.get(name) ?? 0);
      return `<text class="lane" x="${at}" y="${top - 20}" text-anchor="middle">${escape(name)}</text><line class="life" x1="${at}" x2="${at}" y1="${top - 14}" y2="100%"/>`;
    }),
    ...(several ? run.clusters : []).map((members) => clusterHead(members, x)),
    `<g class="bands">${drawBands(run.faults, steps, { rows, width })}${found.join("")}</g>`,
    ...steps.map((step, i) =>
      drawStep(step, { x, placeOf, row: rows[i] ?? { y: top, pauseMs: 0 }, textAt, width }),
    ),
  ];
  return `<div class="scroll" tabindex="0"><svg id="steps" data-row="${ROW}" data-top="${top}" style="width:${width}px" viewBox="0 0 ${width} ${height}" role="img" aria-label="space-time diagram">${parts.join("")}</svg></div>`;
}

interface Row {
  readonly y: number;
  /** Pause before the step that is worth a line; 0 if there is none. */
  readonly pauseMs: number;
}

/** Pause between two steps from which the diagram shows it. */
const PAUSE_MS = 25;

function rowsOf(steps: readonly Step[], top: number): readonly Row[] {
  let y = top;
  return steps.map((step, i) => {
    const before = steps[i - 1];
    const pauseMs = before === undefined ? 0 : step.atMs - before.atMs;
    const isLong = pauseMs >= PAUSE_MS;
    if (isLong) y += ROW;
    const row = { y, pauseMs: isLong ? pauseMs : 0 };
    y += ROW;
    return row;
  });
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
  /** Y coordinate of each step's row, by sequence number. */
  readonly placeOf: ReadonlyMap<number, number>;
  readonly row: Row;
  readonly textAt: number;
  readonly width: number;
}

/** Row of a step, with what filters and the panel of details need. */
function drawStep(step: Step, drawing: Drawing): string {
  const { row, width } = drawing;
  const { lane, from, shard = "", request = "", kind, action } = step;
  const nodes = [...new Set([lane, from ?? "", ...partnersIn(step)])].filter((one) => one !== "");
  // Nodes that start and end, elections and faults concern every filter.
  const isGeneral = action === undefined && /^(node|fault|cluster-manager)-/.test(kind);
  const data = [
    ...[
      `data-seq="${step.seq}"`,
      `data-at="${step.atMs}"`,
      `data-nodes="${escape(nodes.join(" "))}"`,
    ],
    ...[`data-shard="${escape(shard)}"`, `data-request="${escape(request)}"`],
    ...(isGeneral ? ['data-general="1"'] : []),
    ...(row.pauseMs > 0 ? ['data-gap="1"'] : []),
    `data-json="${escape(step.json)}"`,
  ];
  const pause =
    row.pauseMs === 0
      ? ""
      : `<line class="pause" x1="0" x2="${width}" y1="${-ROW + 1}" y2="${-ROW + 1}"/><text class="label" x="${LEFT - 8}" y="${-ROW + 5}" text-anchor="end">+ ${duration(row.pauseMs)}</text>`;
  const hit = `<rect class="hit" x="0" y="${-ROW / 2}" width="${width}" height="${ROW}"/>`;
  return `<g class="row" ${data.join(" ")} transform="translate(0,${px(row.y)})">${hit}${pause}${marksOf(step, drawing)}</g>`;
}

/** Receiver of a sent message, which is not among the step's own fields. */
function partnersIn({ kind, text }: Step): readonly string[] {
  const to = kind === "message-sent" ? /→ (\S+)/.exec(text)?.[1] : undefined;
  return to === undefined ? [] : [to];
}

function marksOf(step: Step, { x, placeOf, row, textAt }: Drawing): string {
  const kind = classOf(step);
  const time = `<text class="label" x="${LEFT - 8}" y="4" text-anchor="end">${step.atMs.toFixed(2)}</text>`;
  const who =
    step.lane === "" || step.from !== undefined || step.kind === "message-sent"
      ? ""
      : `${step.lane} `;
  const said = `${who}${step.text}`;
  const text = `<text class="step ${escape(kind)}" x="${textAt}" y="4">${escape(said.slice(0, 130))}</text>`;
  const here = x.get(step.lane);
  if (here === undefined) return time + text;
  const dot = `<circle class="dot ${escape(kind)}" cx="${px(here)}" cy="0" r="3"><title>${escape(said)}</title></circle>`;
  const start = x.get(step.from ?? "");
  if (start === undefined || step.from === step.lane) return time + text + dot;
  // Messages sent before the first row enter from above.
  const sent = step.sentSeq === undefined ? undefined : placeOf.get(step.sentSeq);
  const from = sent === undefined ? -ROW : sent - row.y;
  const arrow = `<line class="arrow ${escape(kind)}" data-sent="${step.sentSeq ?? ""}" x1="${px(start)}" y1="${px(from)}" x2="${px(here)}" y2="0"><title>${escape(said)}</title></line>`;
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
  readonly rows: readonly Row[];
  readonly width: number;
}

/** Background bands of the rows during which a fault lasted. */
function drawBands(
  faults: readonly StoredFault[],
  steps: readonly Step[],
  { rows, width }: Bands,
): string {
  return faults
    .map(({ kind, description, fromMs, toMs }) => {
      const first = steps.findIndex(({ atMs }) => atMs >= fromMs);
      const last = steps.findLastIndex(({ atMs }) => toMs === undefined || atMs <= toMs);
      const [from, to] = [rows[first], rows[last]];
      if (from === undefined || to === undefined || last < first) return "";
      const top = from.y - ROW / 2;
      return `<rect class="fault" x="0" y="${px(top)}" width="${width}" height="${px(to.y + ROW / 2 - top)}"><title>${escape(`${kind}: ${description}`)}</title></rect>`;
    })
    .join("");
}
