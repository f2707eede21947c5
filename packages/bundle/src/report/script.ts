/**
 * Script of a report: filters, steps by keyboard, and zoom. It reads only what the page holds; without it the page shows
 * everything at once. The page's policy allows this script by its hash, and no other.
 */
import { createHash } from "node:crypto";

export const script: string = `
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const SVG = "http://www.w3.org/2000/svg";
  const seconds = (ms) => (ms / 1000).toFixed(ms < 10000 ? 3 : 2) + " s";

  // Time axis: every drawing over time shows the same range.
  const drawings = all("svg[data-end]").map((svg) => {
    const [left, right, end] = ["left", "right", "end"].map((key) => Number(svg.dataset[key]));
    const marks = all("rect,circle,line", svg).flatMap((el) => {
      const read = (key) => Number(el.getAttribute(key));
      if (el.tagName === "rect") return [{ el, from: read("x"), to: read("x") + read("width") }];
      if (el.tagName === "circle") return [{ el, from: read("cx"), to: read("cx") }];
      // A horizontal line spans the whole width at any zoom.
      return read("x1") === read("x2") && !el.classList.contains("tick") ? [{ el, from: read("x1"), to: read("x1") }] : [];
    });
    const cursor = svg.appendChild(document.createElementNS(SVG, "line"));
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("y1", 0);
    cursor.setAttribute("y2", svg.viewBox.baseVal.height - 16);
    return { svg, left, right, end, marks, cursor, height: svg.viewBox.baseVal.height };
  });
  const endMs = drawings[0] ? drawings[0].end : 1;
  let range = [0, endMs];
  let cursorMs;
  const place = (drawing, ms) => drawing.left + ((ms - range[0]) / (range[1] - range[0])) * (drawing.right - drawing.left);
  const roundStep = (least) => {
    const power = 10 ** Math.floor(Math.log10(Math.max(0.001, least)));
    return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) || 10);
  };
  function drawTicks(drawing) {
    all(".tick,.label", drawing.svg).filter((el) => el.tagName === "text" || el.getAttribute("x1") === el.getAttribute("x2")).forEach((el) => el.remove());
    const step = roundStep((range[1] - range[0]) / 8);
    for (let ms = Math.ceil(range[0] / step) * step; ms <= range[1]; ms += step) {
      const x = place(drawing, ms);
      const line = document.createElementNS(SVG, "line");
      const set = (el, values) => Object.entries(values).forEach(([key, value]) => el.setAttribute(key, value));
      set(line, { class: "tick", x1: x, x2: x, y1: 0, y2: drawing.height - 16 });
      const text = document.createElementNS(SVG, "text");
      set(text, { class: "label", x, y: drawing.height - 3, "text-anchor": "middle" });
      text.textContent = step < 1000 && range[1] < 1000 ? Math.round(ms * 10) / 10 + " ms" : Number((ms / 1000).toFixed(3)) + " s";
      drawing.svg.prepend(line);
      drawing.svg.append(text);
    }
  }
  function zoom(fromMs, toMs) {
    const least = Math.min(2, endMs);
    const width = Math.min(endMs, Math.max(least, toMs - fromMs));
    const from = Math.min(Math.max(0, fromMs), endMs - width);
    range = [from, from + width];
    for (const drawing of drawings) {
      const scale = (x) => place(drawing, ((x - drawing.left) / (drawing.right - drawing.left)) * endMs);
      for (const { el, from: left, to: right } of drawing.marks) {
        const [a, b] = [scale(left), scale(right)];
        const isSeen = b >= drawing.left - 0.5 && a <= drawing.right + 0.5;
        el.style.display = isSeen ? "" : "none";
        if (!isSeen) continue;
        if (el.tagName === "rect") {
          const start = Math.max(a, drawing.left);
          el.setAttribute("x", start);
          el.setAttribute("width", Math.max(1, Math.min(b, drawing.right) - start));
        } else if (el.tagName === "circle") el.setAttribute("cx", a);
        else { el.setAttribute("x1", a); el.setAttribute("x2", a); }
      }
      drawTicks(drawing);
    }
    showCursor();
    const shown = one("#range");
    if (shown) shown.textContent = seconds(range[0]) + " to " + seconds(range[1]);
  }
  function showCursor() {
    for (const drawing of drawings) {
      const x = cursorMs === undefined ? -9 : place(drawing, cursorMs);
      const isSeen = x >= drawing.left && x <= drawing.right;
      drawing.cursor.style.display = isSeen ? "" : "none";
      drawing.cursor.setAttribute("x1", x);
      drawing.cursor.setAttribute("x2", x);
    }
  }
  function scale(factor) {
    const middle = cursorMs !== undefined && cursorMs >= range[0] && cursorMs <= range[1] ? cursorMs : (range[0] + range[1]) / 2;
    const width = (range[1] - range[0]) * factor;
    zoom(middle - width / 2, middle + width / 2);
  }
  for (const drawing of drawings) {
    const timeAt = (event) => {
      const box = drawing.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * drawing.svg.viewBox.baseVal.width;
      const share = (x - drawing.left) / (drawing.right - drawing.left);
      return range[0] + Math.min(1, Math.max(0, share)) * (range[1] - range[0]);
    };
    let start;
    drawing.svg.addEventListener("pointerdown", (event) => { start = timeAt(event); event.preventDefault(); });
    drawing.svg.addEventListener("pointerup", (event) => {
      if (start === undefined) return;
      const end = timeAt(event);
      if (Math.abs(end - start) > (range[1] - range[0]) / 100) zoom(Math.min(start, end), Math.max(start, end));
      else goTo(end);
      start = undefined;
    });
    drawing.svg.addEventListener("dblclick", () => zoom(0, endMs));
  }

  // Steps: rows of the space-time diagram.
  const steps = all("g.row");
  const bands = all(".bands");
  const ROW = Number((one("#steps") || { dataset: {} }).dataset.row || 15);
  let visible = steps;
  let chosen = -1;
  const filters = { node: one("#by-node"), shard: one("#by-shard"), document: one("#by-document") };
  const words = (text) => (text || "").split(" ").filter(Boolean);
  function layOut() {
    const value = (name) => (filters[name] ? filters[name].value : "");
    const [node, shard] = [value("node"), value("shard")];
    const option = filters.document && filters.document.selectedOptions[0];
    const about = option && option.value ? option.dataset : undefined;
    const isGeneral = (row) => row.dataset.general === "1";
    const fits = (row) => {
      const { nodes, shard: of, request } = row.dataset;
      if (node && !words(nodes).includes(node) && !(isGeneral(row) && !nodes)) return false;
      if (shard && of !== shard && !isGeneral(row)) return false;
      if (about && of !== about.shard && request !== about.request && !isGeneral(row)) return false;
      return true;
    };
    visible = steps.filter(fits);
    const isAll = visible.length === steps.length;
    for (const row of steps) row.style.display = "none";
    for (const band of bands) band.style.display = isAll ? "" : "none";
    const places = new Map();
    let y = Number(one("#steps").dataset.top);
    for (const row of visible) {
      if (row.dataset.gap) y += ROW;
      places.set(row.dataset.seq, y);
      row.style.display = "";
      row.setAttribute("transform", "translate(0," + y + ")");
      const arrow = row.querySelector("line.arrow");
      const sent = arrow && places.get(arrow.dataset.sent);
      if (arrow) arrow.setAttribute("y1", sent === undefined ? -ROW : sent - y);
      y += ROW;
    }
    const svg = one("#steps");
    const { width } = svg.viewBox.baseVal;
    svg.setAttribute("viewBox", "0 0 " + width + " " + (y + ROW));
    one("#count").textContent = visible.length + " of " + steps.length + " steps";
    for (const item of all("#moments li")) {
      const misses = (value, list) => value && !words(list).includes(value);
      item.hidden = Boolean(misses(node, item.dataset.nodes) || misses(shard || (about && about.shard), item.dataset.shards) && item.dataset.shards !== "");
    }
    choose(-1);
  }
  function choose(at, isQuiet) {
    if (visible[chosen]) visible[chosen].classList.remove("chosen");
    chosen = Math.min(Math.max(at, -1), visible.length - 1);
    const row = visible[chosen];
    const detail = one("#detail");
    if (!row) { if (detail) detail.hidden = true; return; }
    row.classList.add("chosen");
    cursorMs = Number(row.dataset.at);
    if (cursorMs < range[0] || cursorMs > range[1]) zoom(cursorMs - (range[1] - range[0]) / 2, cursorMs + (range[1] - range[0]) / 2);
    showCursor();
    detail.hidden = false;
    detail.textContent = JSON.stringify(JSON.parse(row.dataset.json), null, 2);
    if (!isQuiet) row.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  function goTo(ms) {
    cursorMs = ms;
    if (visible.length === 0) return showCursor();
    const distance = (row) => Math.abs(Number(row.dataset.at) - ms);
    const nearest = visible.reduce((best, row, i) => (distance(row) < distance(visible[best]) ? i : best), 0);
    choose(nearest);
    cursorMs = ms;
    showCursor();
  }
  steps.forEach((row) => row.addEventListener("click", () => choose(visible.indexOf(row), true)));
  for (const select of Object.values(filters)) if (select) select.addEventListener("change", layOut);
  for (const button of all("button[data-at]")) button.addEventListener("click", () => goTo(Number(button.dataset.at)));
  for (const button of all("button[data-zoom]"))
    button.addEventListener("click", () => (button.dataset.zoom === "0" ? zoom(0, endMs) : scale(Number(button.dataset.zoom))));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const isInside = event.target.closest && event.target.closest(".scroll");
    const act = {
      j: () => choose(chosen + 1), k: () => choose(Math.max(0, chosen - 1)),
      ArrowDown: isInside && (() => choose(chosen + 1)), ArrowUp: isInside && (() => choose(Math.max(0, chosen - 1))),
      "+": () => scale(0.5), "=": () => scale(0.5), "-": () => scale(2), 0: () => zoom(0, endMs), Escape: () => choose(-1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const el of all(".needs-script")) el.hidden = false;
  if (steps.length > 0) layOut();
  zoom(0, endMs);
})();
`;

/** Source expression of a content security policy that allows the script. */
export function scriptPolicy(): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
