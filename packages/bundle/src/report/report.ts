/**
 * Report of a run as one self-contained HTML file: verdict, findings, drawings, and the command
 * that replays the run.
 */
import type { Bundle } from "../reader.ts";
import { createAxis } from "./axis.ts";
import { duration, escape } from "./html.ts";
import { drawLatency } from "./latency.ts";
import { drawShards } from "./shard-table.ts";
import { drawSpaceTime } from "./space-time.ts";
import { readRunData, type RunData } from "./run-data.ts";
import { style } from "./style.ts";
import { drawTimeline } from "./timeline.ts";

export interface ReportWords {
  /** Command that replays the run. */
  readonly replay: string;
  /** One line on what a kind of fault does; empty for an unknown kind. */
  readonly faultSays: (kind: string) => string;
}

export function renderReport(bundle: Bundle, { replay, faultSays }: ReportWords): string {
  const data = readRunData(bundle);
  const { run } = bundle;
  const axis = createAxis(run.virtualMs, data.lastActionMs);
  const isCut = axis.endMs < run.virtualMs * 0.99;
  const rest = isCut
    ? ` Drawn up to ${duration(axis.endMs)}; after that nothing was asked or broken until the end.`
    : "";
  const sections = [
    header(bundle),
    replayLine(replay),
    findings(data),
    doubts(bundle),
    section(
      "Timeline",
      `Nodes, elected cluster manager, client requests and faults.${rest}`,
      legend([
        ["up", "node up"],
        ["term", "elected cluster manager"],
        ["fault", "fault"],
        ["ok", "answered"],
        ["failed", "refused"],
        ["unknown", "no answer"],
      ]) + drawTimeline(data, axis),
    ),
    faultTable(data, faultSays),
    section(
      "Space and time",
      `Time runs down (in ms), one row a step: ${data.window.why}. Arrows are messages, dashed ones never arrived.`,
      drawSpaceTime(data),
    ),
    section(
      "Shard table over time",
      "One row a shard and node.",
      legend([
        ["started primary", "primary"],
        ["started", "replica"],
        ["initializing", "initializing"],
        ["relocating", "relocating"],
        ["unassigned", "unassigned"],
      ]) + drawShards(bundle.copies(), data, axis),
    ),
    section(
      "What clients waited for",
      "One dot a request, at the time it was made.",
      drawLatency(data, axis),
    ),
    `<details><summary>The plan</summary><pre>${escape(bundle.plan.source)}</pre></details>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(run.scenario)}, seed ${run.seed}: ${escape(run.verdict)}</title><style>${style}</style></head>
<body>${sections.join("\n")}</body></html>
`;
}

function header({ run }: Bundle): string {
  const figures: readonly (readonly [string, string])[] = [
    ["seed", String(run.seed)],
    ["world", run.world],
    ["virtual time", duration(run.virtualMs)],
    ["wall time", duration(run.wallMs)],
    ["events", run.events.toLocaleString("en")],
    ["hash", run.hash === "" ? "none" : run.hash],
    ["program", run.programVersion],
  ];
  const cells = figures.map(([name, value]) => `<div><b>${escape(value)}</b>${name}</div>`);
  return `<h1><span>${escape(run.scenario)}</span><span class="badge ${escape(run.verdict)}">${escape(run.verdict)}</span></h1>
<p>${escape(run.claim)}</p><div class="figures">${cells.join("")}</div>`;
}

function replayLine(replay: string): string {
  return `<p class="soft">Run it again:</p><pre>${escape(replay)}</pre>`;
}

function findings({ findings: found }: RunData): string {
  if (found.length === 0) return "";
  const boxes = found.map(({ invariant = "", says, atMs }) => {
    const [first = "", ...more] = says.split("\n");
    const rest = more.length === 0 ? "" : `<pre>${escape(more.join("\n"))}</pre>`;
    const id = invariant === "" ? "" : `<b>${escape(invariant)}</b>`;
    return `<div class="finding">${id}${escape(first)} <span class="soft">at ${duration(atMs)}</span>${rest}</div>`;
  });
  return `<h2>Findings</h2>${boxes.join("")}`;
}

function doubts({ doubts: said }: Bundle): string {
  return said.map((says) => `<div class="finding doubt">${escape(says)}</div>`).join("");
}

function faultTable({ faults }: RunData, faultSays: ReportWords["faultSays"]): string {
  if (faults.length === 0) return "";
  const rows = faults.map(({ kind, description, fromMs, toMs }) => {
    const until = toMs === undefined ? "the end" : duration(toMs);
    const says = faultSays(kind);
    const words = says === "" ? "" : `<br><span class="soft">${escape(says)}</span>`;
    return `<tr><td class="at">${duration(fromMs)}</td><td class="at">${until}</td><td class="at">${escape(kind)}</td><td>${escape(description)}${words}</td></tr>`;
  });
  return `<table><tr><th>from</th><th>to</th><th>fault</th><th>of whom, and what it does</th></tr>${rows.join("")}</table>`;
}

function section(title: string, what: string, inside: string): string {
  return `<h2>${title}</h2><p class="soft">${escape(what)}</p>${inside}`;
}

function legend(rows: readonly (readonly [string, string])[]): string {
  const items = rows.map(([kind, name]) => `<span><i class="${kind}"></i>${name}</span>`);
  return `<div class="legend">${items.join("")}</div>`;
}
