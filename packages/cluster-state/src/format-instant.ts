/** Times as the product prints them in states and explanations: `2026-11-20T22:33:02.149Z`. */
import { formatDate } from "./resolve/format-date.ts";

export function formatInstant(ms: number): string {
  return formatDate(Math.floor(ms), "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
}
