/** A request of a metamorphic case, and the answer that an arrangement of nodes gave to it. */
import type { Json } from "@orrery/stdx";

export interface Asked {
  /** Its row in `kinds.ts`. */
  readonly kind: string;
  readonly method: string;
  readonly uri: string;
  readonly body?: string;
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

export function headersOf({ body }: Asked): Readonly<Record<string, string>> {
  if (body === undefined) return {};
  return { "content-type": body.endsWith("\n") ? "application/x-ndjson" : "application/json" };
}

export function lines(values: readonly Json[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
