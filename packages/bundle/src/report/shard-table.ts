/** Where every shard copy was, and in which state, over time: one row a shard and node. */
import { drawFaults, drawFindings, drawTicks, laneLabel, svg, type Axis } from "./axis.ts";
import { duration, escape, px } from "./html.ts";
import type { Story } from "./story.ts";
import type { StoredCopy } from "../types.ts";

const ROW = 16;

/** More rows than this are no picture any more; the bundle has them all. */
const MOST_ROWS = 150;

interface Segment {
  readonly state: string;
  readonly isPrimary: boolean;
  readonly fromMs: number;
  toMs: number | undefined;
  readonly version: number;
}

export function drawShards(copies: readonly StoredCopy[], story: Story, axis: Axis): string {
  const rows = rowsOf(copies);
  if (rows.size === 0) return "<p>The run has no shard.</p>";
  const shown = [...rows].toSorted(([a], [b]) => compareRows(a, b)).slice(0, MOST_ROWS);
  const height = 8 + shown.length * ROW + 24;
  const parts = [
    drawTicks(axis, height),
    drawFaults(axis, story.faults, height),
    ...shown.flatMap(([key, segments], i) => {
      const y = 8 + i * ROW;
      return [
        laneLabel(key, y + 11),
        ...segments.map((segment) => drawSegment(segment, { key, y, axis })),
      ];
    }),
    drawFindings(
      axis,
      story.findings.map(({ atMs }) => atMs),
      height,
    ),
  ];
  const left = rows.size - shown.length;
  const more = left > 0 ? `<p>${left} more rows are in the bundle's table [shards].</p>` : "";
  return svg(height, parts.join(""), "shard table over time") + more;
}

interface Place {
  readonly key: string;
  readonly y: number;
  readonly axis: Axis;
}

function drawSegment(segment: Segment, { key, y, axis }: Place): string {
  const { state, isPrimary, fromMs, toMs, version } = segment;
  if (fromMs > axis.endMs) return "";
  const from = axis.x(fromMs);
  const width = Math.max(1, axis.x(toMs ?? axis.endMs) - from);
  const what = isPrimary ? "primary" : "replica";
  const title = `${key} ${what} ${state} from ${duration(fromMs)}, version ${version}`;
  const kind = `${state.toLowerCase()}${isPrimary ? " primary" : ""}`;
  return `<rect class="${kind}" x="${px(from)}" y="${y + 2}" width="${px(width)}" height="${ROW - 4}" rx="2"><title>${escape(title)}</title></rect>`;
}

/** `[books][0] node-1`; copies without a node share one row. */
function keyOf({ cluster, index, shard, node }: StoredCopy): string {
  return `[${index}][${shard}] ${node ?? (cluster === "" ? "—" : `— (${cluster})`)}`;
}

function rowsOf(copies: readonly StoredCopy[]): ReadonlyMap<string, readonly Segment[]> {
  const rows = new Map<string, Segment[]>();
  /** Which rows of each cluster hold a copy now. */
  const held = new Map<string, ReadonlySet<string>>();
  for (const table of tablesOf(copies)) {
    const { atMs, cluster } = table[0];
    const seen = new Set<string>();
    for (const copy of table) {
      const key = keyOf(copy);
      if (seen.has(key)) continue;
      seen.add(key);
      const row = rows.get(key) ?? [];
      rows.set(key, row);
      extend(row, copy);
    }
    for (const key of held.get(cluster) ?? []) {
      const last = rows.get(key)?.at(-1);
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

/** Rows that were written together are one look at the whole table. */
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

function compareRows(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
