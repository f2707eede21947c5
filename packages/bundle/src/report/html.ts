/** Text inside HTML and SVG: every value is escaped here, once. */

export function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Coordinate rounded to the precision that is visible. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Duration as text: `1.234 s`, `56.7 ms`. */
export function duration(ms: number): string {
  if (ms >= 60_000) return `${(ms / 60_000).toFixed(1)} min`;
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(1)} ms`;
}
