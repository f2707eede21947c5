/** Location and state of every shard copy over time: one row for each shard and node. */
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
import type { RunData } from "./run-data.ts";
import type { StoredCopy } from "../types.ts";

const ROW = 16;

/** Limit of drawn rows; the bundle itself has all of them. */
const MOST_ROWS = 150;

interface Segment {
  readonly state: string;
  readonly isPrimary: boolean;
  readonly fromMs: number;
  toMs: number | undefined;
  readonly version: number;
}

export function drawShards(copies: readonly StoredCopy[], run: RunData, axis: Axis): string {
  const rows = rowsOf(copies);
  if (rows.size === 0) return "<p>The run has no shard.</p>";
  const shown = [...rows.values()].toSorted(compareRows).slice(0, MOST_ROWS);
  const clusters = new Set(run.clusters.map(({ cluster }) => cluster));
  for (const { cluster } of shown) clusters.add(cluster);
  const headed = [...clusters].flatMap((cluster) => {
    const members = shown.filter((row) => row.cluster === cluster);
    return clusters.size > 1 && members.length > 0 ? [cluster, ...members] : members;
  });
  const height = 8 + headed.length * ROW + 24;
  const parts = [
    drawTicks(axis, height),
    drawFaults(axis, run.faults, height),
    ...headed.flatMap((row, i) => {
      const y = 8 + i * ROW;
      if (typeof row === "string") return clusterLabel(row, y + 11);
      const { name, segments } = row;
      return [
        laneLabel(name, y + 11),
        ...segments.map((segment) => drawSegment(segment, { name, y, axis })),
      ];
    }),
    drawFindings(
      axis,
      run.findings.map(({ atMs }) => atMs),
      height,
    ),
  ];
  const left = rows.size - shown.length;
  const more = left > 0 ? `<p>${left} more rows are in the bundle's table [shards].</p>` : "";
  return svg({ height, axis, label: "shard table over time" }, parts.join("")) + more;
}

interface Place {
  readonly name: string;
  readonly y: number;
  readonly axis: Axis;
}

function drawSegment(segment: Segment, { name, y, axis }: Place): string {
  const { state, isPrimary, fromMs, toMs, version } = segment;
  if (fromMs > axis.endMs) return "";
  const from = axis.x(fromMs);
  const width = Math.max(1, axis.x(toMs ?? axis.endMs) - from);
  const what = isPrimary ? "primary" : "replica";
  const title = `${name} ${what} ${state} from ${duration(fromMs)}, version ${version}`;
  const kind = `${state.toLowerCase()}${isPrimary ? " primary" : ""}`;
  return `<rect class="${escape(kind)}" x="${px(from)}" y="${y + 2}" width="${px(width)}" height="${ROW - 4}" rx="2"><title>${escape(title)}</title></rect>`;
}

interface Row {
  readonly cluster: string;
  readonly name: string;
  readonly segments: Segment[];
}

/** Row name such as `[books][0] node-1`; copies without a node share one row. */
function nameOf({ index, shard, node }: StoredCopy): string {
  return `[${index}][${shard}] ${node ?? "—"}`;
}

function rowsOf(copies: readonly StoredCopy[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  /** Rows that hold a copy at the moment, by cluster. */
  const held = new Map<string, ReadonlySet<string>>();
  for (const table of tablesOf(copies)) {
    const { atMs, cluster } = table[0];
    const seen = new Set<string>();
    for (const copy of table) {
      const name = nameOf(copy);
      const key = `${cluster}\0${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const row = rows.get(key) ?? { cluster, name, segments: [] };
      rows.set(key, row);
      extend(row.segments, copy);
    }
    for (const key of held.get(cluster) ?? []) {
      const last = rows.get(key)?.segments.at(-1);
      if (!seen.has(key) && last !== undefined) last.toMs ??= atMs;
    }
    held.set(cluster, seen);
  }
  return rows;
}

function extend(row: Segment[], { state, isPrimary, version, atMs }: StoredCopy): void {
  const last = row.at(-1);
  if (last !== undefined && last.toMs === undefined) {
    if (last.state === state && last.isPrimary === isPrimary) return;
    last.toMs = atMs;
  }
  row.push({ state, isPrimary, fromMs: atMs, toMs: undefined, version });
}

type Table = readonly [StoredCopy, ...StoredCopy[]];

/** Groups rows written at the same time into one observation of the whole shard table. */
function tablesOf(copies: readonly StoredCopy[]): readonly Table[] {
  const tables: [StoredCopy, ...StoredCopy[]][] = [];
  for (const copy of copies) {
    const table = tables.at(-1);
    const isSame =
      table?.[0].version === copy.version &&
      table[0].cluster === copy.cluster &&
      table[0].atMs === copy.atMs;
    if (table !== undefined && isSame) table.push(copy);
    else tables.push([copy]);
  }
  return tables;
}

function compareRows(a: Row, b: Row): number {
  return a.name.localeCompare(b.name, "en", { numeric: true });
}
