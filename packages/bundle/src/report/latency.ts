/**
 * Latency of client requests: one dot for each request on a logarithmic scale, with the usual
 * quantiles.
 */
import { drawFaults, drawFindings, drawTicks, laneLabel, svg, type Axis } from "./axis.ts";
import { duration, escape, px } from "./html.ts";
import type { RunData } from "./run-data.ts";
import type { StoredOperation } from "../types.ts";

const HEIGHT = 220;
const TOP = 12;
const BOTTOM = HEIGHT - 26;

/**
 * Limit of drawn dots, beyond which they cannot be told apart; failed requests are always drawn.
 */
const MOST_DOTS = 4000;

interface Waited extends StoredOperation {
  readonly waitedMs: number;
}

export function drawLatency(run: RunData, axis: Axis): string {
  const waited = waitedOf(run.operations);
  if (waited.length === 0) return "<p>No client got an answer.</p>";
  const times = waited.map(({ waitedMs }) => waitedMs);
  const low =
    10 **
    Math.floor(
      Math.log10(
        Math.max(
          0.1,
          times.reduce((a, b) => Math.min(a, b)),
        ),
      ),
    );
  const high =
    10 **
    Math.ceil(
      Math.log10(
        Math.max(
          low * 10,
          times.reduce((a, b) => Math.max(a, b)),
        ),
      ),
    );
  const span = Math.log10(high / low);
  const y = (ms: number): number =>
    BOTTOM - (Math.log10(Math.max(low, ms) / low) / span) * (BOTTOM - TOP);
  const levels: string[] = [];
  for (let level = low; level <= high; level *= 10) {
    levels.push(
      `<line class="tick" x1="${axis.left}" x2="${axis.right}" y1="${px(y(level))}" y2="${px(y(level))}"/>`,
      laneLabel(duration(level), y(level) + 4),
    );
  }
  const stride = Math.max(1, Math.ceil(waited.length / MOST_DOTS));
  const dots = waited
    .filter(({ outcome }, i) => outcome !== "ok" || i % stride === 0)
    .slice(0, 2 * MOST_DOTS)
    .map(({ client, id, operation, invokedMs, waitedMs, outcome, status }) => {
      const title = `${client} #${id} ${operation}: ${status ?? "no status"} ${outcome} after ${duration(waitedMs)}`;
      return `<circle class="${escape(outcome)}" cx="${px(axis.x(invokedMs))}" cy="${px(y(waitedMs))}" r="2.5"><title>${escape(title)}</title></circle>`;
    });
  const inside = [
    drawTicks(axis, HEIGHT),
    drawFaults(axis, run.faults, HEIGHT),
    ...levels,
    ...dots,
    drawFindings(
      axis,
      run.findings.map(({ atMs }) => atMs),
      HEIGHT,
    ),
  ];
  return `${quantiles(waited)}${svg({ height: HEIGHT, axis, label: "latency of client requests" }, inside.join(""))}`;
}

/** Client operations without the requests that checkers send at the end. */
function waitedOf(operations: readonly StoredOperation[]): readonly Waited[] {
  return operations.flatMap((operation) => {
    const { completedMs, invokedMs, client } = operation;
    if (completedMs === undefined || client === "checker") return [];
    return [{ ...operation, waitedMs: completedMs - invokedMs }];
  });
}

function quantiles(waited: readonly Waited[]): string {
  const times = waited.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  const count = (outcome: string): number =>
    waited.filter((operation) => operation.outcome === outcome).length;
  const cells: readonly (readonly [string, string])[] = [
    ["requests", String(waited.length)],
    ["ok", String(count("ok"))],
    ["failed", String(count("failed"))],
    ["unknown", String(count("unknown"))],
    ["median", duration(at(0.5))],
    ["p90", duration(at(0.9))],
    ["p99", duration(at(0.99))],
    ["longest", duration(times.at(-1) ?? 0)],
  ];
  const row = cells.map(([name, value]) => `<div><b>${value}</b>${name}</div>`);
  return `<div class="figures">${row.join("")}</div>`;
}
