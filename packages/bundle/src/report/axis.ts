/**
 * Time axis shared by the drawings of a report: from the start to a little after the last action of
 * clients or faults.
 */
import { duration, escape, px } from "./html.ts";
import type { StoredFault } from "../types.ts";

/** Mapping of run time, in milliseconds, to x coordinates. */
export interface Axis {
  readonly endMs: number;
  /** X coordinates of the left and right edge of the time range. */
  readonly left: number;
  readonly right: number;
  x(atMs: number): number;
}

export const WIDTH = 1080;
const LEFT = 130;
const RIGHT = WIDTH - 16;

/** Share of the width for the time after the last action. */
const QUIET_SHARE = 0.15;

export function createAxis(runEndMs: number, lastActionMs: number): Axis {
  const endMs = Math.max(1, Math.min(runEndMs, lastActionMs * (1 + QUIET_SHARE)));
  return {
    endMs,
    left: LEFT,
    right: RIGHT,
    x: (atMs) => LEFT + (Math.min(Math.max(atMs, 0), endMs) / endMs) * (RIGHT - LEFT),
  };
}

/** Vertical lines and labels at round times. */
export function drawTicks(axis: Axis, height: number): string {
  const step = roundStep(axis.endMs / 8);
  const parts: string[] = [];
  for (let atMs = 0; atMs <= axis.endMs; atMs += step) {
    const x = px(axis.x(atMs));
    parts.push(
      `<line class="tick" x1="${x}" x2="${x}" y1="0" y2="${height - 16}"/>`,
      `<text class="label" x="${x}" y="${height - 3}" text-anchor="middle">${tickLabel(atMs)}</text>`,
    );
  }
  return parts.join("");
}

function tickLabel(atMs: number): string {
  return atMs >= 1000 ? `${Math.round(atMs / 100) / 10} s` : `${Math.round(atMs)} ms`;
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return factor * power;
}

/** Background band for the duration of each fault, over the whole height. */
export function drawFaults(axis: Axis, faults: readonly StoredFault[], height: number): string {
  return faults
    .filter(({ fromMs }) => fromMs <= axis.endMs)
    .map(({ kind, description, fromMs, toMs }) => {
      const from = axis.x(fromMs);
      const width = Math.max(2, axis.x(toMs ?? axis.endMs) - from);
      const until = toMs === undefined ? "the end" : duration(toMs);
      const title = `${kind}, ${duration(fromMs)} to ${until}: ${description}`;
      return `<rect class="fault" x="${px(from)}" y="0" width="${px(width)}" height="${height - 16}"><title>${escape(title)}</title></rect>`;
    })
    .join("");
}

/** Marker at the time of each finding. */
export function drawFindings(axis: Axis, atMs: readonly number[], height: number): string {
  return atMs
    .map((at) => {
      const x = px(axis.x(at));
      return `<line class="finding-line" x1="${x}" x2="${x}" y1="0" y2="${height - 16}"/>`;
    })
    .join("");
}

interface Canvas {
  readonly height: number;
  readonly axis: Axis;
  /** Label for screen readers. */
  readonly label: string;
}

/** SVG element of the full width over the time axis. */
export function svg({ height, axis, label }: Canvas, inside: string): string {
  const { left, right, endMs } = axis;
  // A narrow screen scrolls the drawing; scaling it down would make it unreadable.
  return `<div class="wide"><svg viewBox="0 0 ${WIDTH} ${height}" data-left="${left}" data-right="${right}" data-end="${endMs}" role="img" aria-label="${escape(label)}">${inside}</svg></div>`;
}

export function laneLabel(text: string, y: number): string {
  return `<text class="lane" x="${LEFT - 10}" y="${px(y)}" text-anchor="end">${escape(text)}</text>`;
}

/** Heading above the lanes of a cluster's nodes, drawn if there are several clusters. */
export function clusterLabel(name: string, y: number): string {
  return `<text class="cluster" x="${LEFT - 10}" y="${px(y)}" text-anchor="end">${escape(name)}</text>`;
}
