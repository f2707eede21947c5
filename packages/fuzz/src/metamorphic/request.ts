/** Request of a metamorphic case, and the answer of an arrangement. */
import type { Json } from "@orrery/stdx";

export interface Asked {
  /** Origin: a row of `sources/kinds.ts`, or a file. */
  readonly kind: string;
  readonly method: string;
  /** Path and query. `${name}` in it and in the body stands for a kept value. */
  readonly uri: string;
  readonly body?: string;
  /** Headers; absent: those that fit the body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Paths of values in the answer, by the names under which later requests refer to them. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Ends of paths, with slashes, whose values differ between runs. */
  readonly loose?: readonly string[];
}

export interface Answer {
  /** HTTP status; 0: no answer in time. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export function describeAsked({ method, uri, body = "" }: Asked): string {
  const text = body.length <= LONGEST ? body : `${body.slice(0, LONGEST)}… (${body.length})`;
  return `${method} ${uri} ${text.replaceAll("\n", "\\n")}`.trim();
}

const LONGEST = 300;

export function headersOf({ headers, body }: Asked): Readonly<Record<string, string>> {
  if (body === undefined) return headers ?? {};
  const type = body.endsWith("\n") ? "application/x-ndjson" : "application/json";
  return { "content-type": type, ...headers };
}

export function lines(values: readonly Json[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
