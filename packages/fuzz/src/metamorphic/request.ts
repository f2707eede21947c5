/** A request of a metamorphic case, and the answer that an arrangement of nodes gave to it. */
import type { Json } from "@orrery/stdx";

export interface Asked {
  /** Where it comes from: a row of `sources/kinds.ts`, or a file. */
  readonly kind: string;
  readonly method: string;
  /** In it and in the body `${name}` stands for a value that was kept. */
  readonly uri: string;
  readonly body?: string;
  /** Absent: as the body looks. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By name: paths of values of the answer, with dots, that later requests may name. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Ends of paths, with slashes, whose values differ from one run to the next. */
  readonly loose?: readonly string[];
}

export interface Answer {
  /** 0: no answer in time. */
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
