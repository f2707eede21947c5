/**
 * Request of a case: compact data even where the bytes are many.
 *
 * `${…}` in path and body stands for a value of the session: ids of nodes, scrolls and points in time.
 */

import type { Wire } from "./wire.ts";

/** Part of a body: a text, a repeated text, or bytes in hexadecimal. */
export type Piece =
  | string
  | { readonly times: number; readonly text: string }
  | { readonly hex: string };

export interface HttpCase {
  readonly method: string;
  /** Path and query of the request line. */
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Piece[];
  /** Damage to the bytes; absent: none. Only in worlds with sockets. */
  readonly wire?: Wire;
}

/** Size limit of a case. */
const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

export function bytesOf(pieces: readonly Piece[], known: ReadonlyMap<string, string>): Uint8Array {
  const parts = pieces.map((piece): Buffer => {
    if (typeof piece === "string") return Buffer.from(filled(piece, known));
    if ("hex" in piece) return Buffer.from(piece.hex, "hex");
    const most = Math.floor(LARGEST_BODY_BYTES / Math.max(1, piece.text.length));
    return Buffer.from(piece.text.repeat(Math.min(piece.times, most)));
  });
  return Buffer.concat(parts).subarray(0, LARGEST_BODY_BYTES);
}

/** Text with placeholders replaced by the session's values; unknown ones remain. */
export function filled(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{([\w-]+)\}/g, (whole, name: string) => known.get(name) ?? whole);
}

/** Path and query as bytes of the request line, one character for each. */
export function wireUri({ uri }: HttpCase, known: ReadonlyMap<string, string>): string {
  return Buffer.from(filled(uri, known)).toString("latin1");
}

/** Text of the request, raw and decoded: a response may repeat it. */
export function textOfRequest({ uri, body }: HttpCase, known: ReadonlyMap<string, string>): string {
  const path = filled(uri, known);
  return [path, decoded(path), Buffer.from(bytesOf(body, known)).toString()].join("\n");
}

function decoded(path: string): string {
  return path
    .replaceAll("+", " ")
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll("%", ""), "hex").toString(),
    );
}

/** True for a request that asks to wait. */
export function asksForTime(text: string): boolean {
  return /timeout|keep_alive|scroll|wait|delay|interval/.test(text);
}

export function sizeOf(pieces: readonly Piece[]): number {
  let bytes = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") bytes += piece.length;
    else bytes += "hex" in piece ? piece.hex.length / 2 : piece.text.length * piece.times;
  }
  return bytes;
}

export function describeRequest({ method, uri, body, wire }: HttpCase): string {
  const text = body
    .map((piece) => (typeof piece === "string" ? piece : JSON.stringify(piece)))
    .join("");
  const how = wire === undefined ? "" : `(${wire.kind} ${wire.count}) `;
  return `${how}${method} ${short(uri)} ${short(text)}`.trim();
}

const SHORT = 240;

function short(text: string): string {
  // Printed on one line of a terminal, with control characters escaped.
  const printable = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return printable.length <= SHORT ? printable : `${printable.slice(0, SHORT)}… (${text.length})`;
}
