/** Style sheet of a report; it loads no file, font or script. */

export const style: string = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5f6b7a; --line: #dfe4ea; --paper: #fff; --panel: #f6f8fa;
  --ok: #2b8a57; --failed: #d9822b; --unknown: #8e4ec6; --bad: #c92a2a; --up: #9db8d9; --term: #1f4e8c;
  --fault: rgba(201, 42, 42, 0.10); --started: #8fc7a4; --primary: #2b8a57; --init: #e3b341; --moving: #4a90d9; --none: #d05c5c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #95a1b0; --line: #2d3642; --paper: #12171e; --panel: #1a212b;
  --ok: #4cc38a; --failed: #f0a050; --unknown: #b98aea; --bad: #ff6b6b; --up: #3f5a7d; --term: #7fb1f0;
  --fault: rgba(255, 107, 107, 0.14); --started: #3d7a55; --primary: #4cc38a; --init: #d9a93a; --moving: #5aa0e6; --none: #e06666; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 28px 24px 64px; max-width: 1180px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; display: flex; gap: 12px; align-items: center; }
h2 { font-size: 17px; margin: 34px 0 8px; }
p { margin: 4px 0 10px; max-width: 80ch; }
.soft { color: var(--soft); }
.badge { font-size: 13px; font-weight: 700; padding: 2px 12px; border-radius: 999px; color: #fff; text-transform: uppercase; letter-spacing: .04em; }
.badge.pass { background: #2b8a57; } .badge.fail { background: #c92a2a; } .badge.inconclusive { background: #b36a00; }
pre, code { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; overflow-x: auto; margin: 6px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.finding { border-left: 4px solid var(--bad); background: var(--panel); padding: 8px 14px; border-radius: 0 8px 8px 0; margin: 8px 0; }
.finding.doubt { border-color: #b36a00; }
.finding { overflow-wrap: anywhere; } .finding b { margin-right: 8px; }
.figures { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 12px 0; }
.figures div { color: var(--soft); font-size: 13px; } .figures b { display: block; color: var(--ink); font-size: 17px; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 12.5px; color: var(--soft); margin: 4px 0 6px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px; }
table { border-collapse: collapse; font-size: 13.5px; width: 100%; } td, th { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.at { white-space: nowrap; font-variant-numeric: tabular-nums; } td code { overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; } .wide svg { min-width: 720px; }
.scroll { overflow: auto; max-height: 760px; border: 1px solid var(--line); border-radius: 8px; padding: 6px; }
.scroll svg { max-width: none; }
text { fill: var(--ink); font: 11.5px system-ui, sans-serif; }
text.label { fill: var(--soft); font-size: 10.5px; font-variant-numeric: tabular-nums; }
text.lane { font-size: 12px; } text.cluster { font-size: 12px; font-weight: 700; } text.step { font: 11px ui-monospace, Menlo, Consolas, monospace; }
.tick { stroke: var(--line); } .life { stroke: var(--line); stroke-width: 2; }
.fault, i.fault { fill: var(--fault); background: var(--fault); } .finding-line { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; }
.up, i.up { fill: var(--up); background: var(--up); } .term, i.term { fill: var(--term); background: var(--term); }
.ok, i.ok { fill: var(--ok); background: var(--ok); } .failed, i.failed { fill: var(--failed); background: var(--failed); }
.unknown, i.unknown { fill: var(--unknown); background: var(--unknown); } circle.ok, circle.failed, circle.unknown { background: none; opacity: .75; }
.started, i.started { fill: var(--started); background: var(--started); } .started.primary, i.started.primary { fill: var(--primary); background: var(--primary); }
.initializing, i.initializing { fill: var(--init); background: var(--init); } .relocating, i.relocating { fill: var(--moving); background: var(--moving); }
.unassigned, i.unassigned { fill: var(--none); background: var(--none); }
.arrow { stroke: var(--term); stroke-width: 1.2; } .arrow.quiet { stroke: var(--soft); opacity: .45; } .arrow.recovery { stroke: var(--moving); }
.arrow.bad { stroke: var(--bad); stroke-dasharray: 4 3; }
.dot { fill: var(--term); } .dot.quiet { fill: var(--soft); } .dot.state { fill: var(--ok); } .dot.recovery { fill: var(--moving); } .dot.bad { fill: var(--bad); }
text.quiet { fill: var(--soft); } text.bad { fill: var(--bad); } text.state { fill: var(--ok); } text.client { fill: var(--unknown); }
.pause { stroke: var(--line); stroke-dasharray: 2 3; } .cursor { stroke: var(--ink); stroke-width: 1.2; pointer-events: none; }
.hit { fill: transparent; } g.row { cursor: pointer; } g.row:hover .hit { fill: var(--panel); } g.row.chosen .hit { fill: var(--line); }
h3 { font-size: 14px; margin: 10px 0 4px; } ol.cause, ul.moments { list-style: none; margin: 4px 0; padding: 0; }
ol.cause li, ul.moments li { display: flex; gap: 10px; align-items: baseline; padding: 2px 0; } ol.cause li[hidden], ul.moments li[hidden] { display: none; }
ol.cause i { font-style: normal; font-weight: 700; font-size: 11px; text-transform: uppercase; letter-spacing: .05em; margin-right: 6px; color: var(--soft); }
ol.cause .fault i, ol.cause .loss i { color: var(--bad); } ol.cause .write i, ol.cause .recovery i { color: var(--ok); }
li.fault { background: none; } ul.moments li.fault span, ul.moments li.damage span { color: var(--bad); }
button { font: inherit; font-size: 13px; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1px 8px; cursor: pointer; }
button.time { border: 0; background: none; padding: 0; min-width: 74px; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; } button:hover { text-decoration: underline; }
.bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; font-size: 13px; max-width: none; } .bar[hidden] { display: none; }
select { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1px 4px; }
table.events { font-size: 13px; } #detail { max-height: 320px; overflow: auto; }
.wide svg { touch-action: pan-y; user-select: none; } .wide svg[data-end] { cursor: crosshair; }
details { margin-top: 34px; } summary { cursor: pointer; font-weight: 600; }
`;
