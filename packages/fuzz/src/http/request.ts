/**
 * A request as a case: what is sent, as data that is small even where the bytes are many.
 *
 * `${…}` in path and body are places for what a session knows: ids of nodes, scrolls and points in time.
 */

/** Text; so many times a text; or bytes in hexadecimal. */
export type Piece =
  | string
  | { readonly times: number; readonly text: string }
  | { readonly hex: string };

export interface HttpCase {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Piece[];
}

/** No case is larger, whatever its pieces say. */
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

/** With what the session knows in the places for it; other places stay as they are. */
export function filled(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{([\w-]+)\}/g, (whole, name: string) => known.get(name) ?? whole);
}

export function sizeOf(pieces: readonly Piece[]): number {
  let bytes = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") bytes += piece.length;
    else bytes += "hex" in piece ? piece.hex.length / 2 : piece.text.length * piece.times;
  }
  return bytes;
}

export function describeRequest({ method, uri, body }: HttpCase): string {
  const text = body
    .map((piece) => (typeof piece === "string" ? piece : JSON.stringify(piece)))
    .join("");
  return `${method} ${short(uri)} ${short(text)}`.trim();
}

const SHORT = 240;

function short(text: string): string {
  // A line of a terminal: control characters stand as escapes.
  const printable = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return printable.length <= SHORT ? printable : `${printable.slice(0, SHORT)}… (${text.length})`;
}
