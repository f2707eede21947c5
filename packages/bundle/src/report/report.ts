/**
 * Report of a run as one self-contained HTML file: verdict, findings with their cause, moments, drawings, and the command
 * that replays the run.
 */
import type { Cause } from "../cause/cause.ts";
import type { Bundle } from "../reader.ts";
import { counted, listed, secondsOf } from "../story/words.ts";
import { createAxis, type Axis } from "./axis.ts";
import { duration, escape } from "./html.ts";
import { drawLatency } from "./latency.ts";
import { drawShards } from "./shard-table.ts";
import { drawSpaceTime } from "./space-time.ts";
import { readRunData, type RunData } from "./run-data.ts";
import { script, scriptPolicy } from "./script.ts";
import { style } from "./style.ts";
import { drawTimeline } from "./timeline.ts";

export interface ReportWords {
  /** Command that replays the run. */
  readonly replay: string;
  /** One line on what a kind of fault does; empty for an unknown kind. */
  readonly faultSays: (kind: string) => string;
  /** Meaning of a checker's invariant; empty for an unknown checker. */
  readonly checkerSays: (checker: string) => string;
}

export function renderReport(
  bundle: Bundle,
  { replay, faultSays, checkerSays }: ReportWords,
): string {
  const data = readRunData(bundle);
  const { run } = bundle;
  const axis = createAxis(run.virtualMs, data.lastActionMs);
  const isCut = axis.endMs < run.virtualMs * 0.99;
  const rest = isCut
    ? ` Drawn up to ${duration(axis.endMs)}; after that nothing was asked or broken until the end.`
    : "";
  const { window } = data;
  const others =
    window.leftOut === 0 ? "" : `; ${counted(window.leftOut, "other step")} of the run left out`;
  const sections = [
    header(bundle),
    replayLine(replay),
    findings(data, checkerSays),
    doubts(bundle),
    moments(data),
    section(
      "Timeline",
      `Nodes, elected cluster manager, client requests and faults.${rest}`,
      zoomBar() +
        legend([
          ["up", "node up"],
          ["term", "elected cluster manager"],
          ["fault", "fault"],
          ["ok", "answered"],
          ["failed", "refused"],
          ["unknown", "no answer"],
        ]) +
        drawTimeline(data, axis),
    ),
    faultTable(data, faultSays),
    section(
      "Space and time",
      `Time runs down (in ms), one row a step: ${window.why}${others}. Arrows are messages, dashed ones never arrived.`,
      filterBar(data) + drawSpaceTime(data) + '<pre id="detail" hidden></pre>',
    ),
    lastSteps(data),
    shardSection(bundle, data, axis),
    latencySection(data, axis),
    `<details><summary>The plan</summary><pre>${escape(bundle.plan.source)}</pre></details>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${scriptPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(run.scenario)}, seed ${run.seed}: ${escape(run.verdict)}</title><style>${style}</style></head>
<body>${sections.join("\n")}<script>${script}</script></body></html>
`;
}

function shardSection(bundle: Bundle, data: RunData, axis: Axis): string {
  return section(
    "Shard table over time",
    "One row a shard and node.",
    legend([
      ["started primary", "primary"],
      ["started", "replica"],
      ["initializing", "initializing"],
      ["relocating", "relocating"],
      ["unassigned", "unassigned"],
    ]) + drawShards(bundle.copies(), data, axis),
  );
}

function latencySection(data: RunData, axis: Axis): string {
  return section(
    "What clients waited for",
    "One dot a request, at the time it was made.",
    drawLatency(data, axis),
  );
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

function findings(
  { findings: found, cause }: RunData,
  checkerSays: ReportWords["checkerSays"],
): string {
  if (found.length === 0) return "";
  const boxes = found.map(({ invariant = "", checker = "", says, atMs }, i) => {
    const [first = "", ...more] = says.split("\n");
    const rest = more.length === 0 ? "" : `<pre>${escape(more.join("\n"))}</pre>`;
    const id = invariant === "" ? "" : `<b>${escape(invariant)}</b>`;
    const meaning = checkerSays(checker);
    const means = meaning === "" ? "" : `<p class="soft">The invariant: ${escape(meaning)}</p>`;
    const chain = i === 0 && cause !== undefined ? causeList(cause) : "";
    return `<div class="finding">${id}${escape(first)} <span class="soft">at ${duration(atMs)}</span>${rest}${means}${chain}</div>`;
  });
  return `<h2>Findings</h2>${boxes.join("")}`;
}

function causeList({ links }: Cause): string {
  const items = links.map(
    ({ kind, atMs, says }) =>
      `<li class="${kind}">${timeButton(atMs)}<span><i>${kind}</i> ${escape(says)}</span></li>`,
  );
  return `<h3>How it came about</h3><ol class="cause">${items.join("")}</ol>`;
}

/** Time that selects the nearest step, if the page's script runs. */
function timeButton(atMs: number): string {
  return `<button class="time" data-at="${atMs}">${secondsOf(atMs)}</button>`;
}

function moments({ story }: RunData): string {
  if (story.moments.length === 0) return "";
  const items = story.moments.map(
    ({ atMs, kind, says, nodes, shards }) =>
      `<li class="${kind}" data-nodes="${escape(nodes.join(" "))}" data-shards="${escape(shards.join(" "))}">${timeButton(atMs)}<span>${escape(says)}</span></li>`,
  );
  const left =
    story.leftOut === 0
      ? ""
      : `<p class="soft">${counted(story.leftOut, "less important moment")} left out.</p>`;
  return `<h2>Moments</h2><ul id="moments" class="moments">${items.join("")}</ul>${left}`;
}

function zoomBar(): string {
  return `<p class="bar needs-script" hidden><button data-zoom="0.5">+</button><button data-zoom="2">−</button><button data-zoom="0">all</button> <span id="range"></span> <span class="soft">drag to zoom, keys + − 0</span></p>`;
}

/** Filters of the steps and moments. */
function filterBar({ nodes, window, cause, requests }: RunData): string {
  const shards = [...new Set(window.steps.flatMap(({ shard }) => shard ?? []))].toSorted();
  const option = (value: string): string => `<option>${escape(value)}</option>`;
  const ofRequest = [...requests].flatMap(([request, { document, index, shard }]) =>
    document === undefined ? [] : [{ document, request, shard: `${index}/${shard}` }],
  );
  const [only = ""] = cause?.shards ?? [];
  const named = (cause?.documents ?? []).map(
    (document) =>
      ofRequest.find((one) => one.document === document) ?? { document, request: "", shard: only },
  );
  const documents = named.map(
    ({ document, request, shard }) =>
      `<option value="${escape(document)}" data-request="${escape(request)}" data-shard="${escape(shard)}">${escape(document)}</option>`,
  );
  const select = (name: string, label: string, options: readonly string[]): string =>
    options.length === 0
      ? ""
      : `<label>${label} <select id="by-${name}"><option value="">all</option>${options.join("")}</select></label>`;
  return `<p class="bar needs-script" hidden>${select("node", "node", nodes.map(option))}${select("shard", "shard", shards.map(option))}${select("document", "document", documents)} <span id="count"></span> <span class="soft">keys j and k step</span></p>`;
}

/** Last steps that touch what the first finding concerns, as a table. */
function lastSteps({ last, cause }: RunData): string {
  if (cause === undefined || last.length === 0) return "";
  const rows = last.map(
    ({ atMs, lane, text }) =>
      `<tr><td class="at">${timeButton(atMs)}</td><td class="at">${escape(lane)}</td><td>${escape(text)}</td></tr>`,
  );
  const of = [...cause.documents.slice(0, 1), ...cause.shards, ...cause.nodes];
  return section(
    `The last ${last.length} events that touch what was violated`,
    `Events of ${listed(of)}.`,
    `<table class="events">${rows.join("")}</table>`,
  );
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
