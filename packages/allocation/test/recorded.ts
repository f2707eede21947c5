/** Answers of OpenSearch 3.8.0 (`recorded.ndjson`); ids and times become tokens on both sides. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@orrery/stdx";

const file = join(import.meta.dirname, "recorded.ndjson");

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  readonly status: number;
  readonly answer: Json;
}

/** Exchanges of one recording whose path begins with the given one, in order. */
export function recorded(recording: string, path: string): readonly Exchange[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter(({ from, request }) => from === recording && request.path.startsWith(path))
    .map(({ request, response }) => ({
      method: request.method,
      path: request.path,
      body: request.body === undefined ? null : tryParse(request.body),
      status: response.status,
      answer: response.body,
    }));
}

function tryParse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Allocation ids and times as `<uuid>` and `<time>`. */
export function normalised(value: Json): Json {
  const text = JSON.stringify(value)
    .replaceAll(/a\[id=[^\]]+\]/g, "a[id=<uuid>]")
    .replaceAll(/"allocation_id":"[^"]+"/g, '"allocation_id":"<uuid>"')
    .replaceAll(/\{eph-\d\}/g, "{<uuid>}")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
  return JSON.parse(text) as Json;
}
