/** Sending of responses: small ones in one write, large ones piece by piece as the client reads them. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { version, type RestResponse } from "@orrery/rest";
import { problemJson, problemOf } from "@orrery/stdx";

/** Size above which joining head and body into one string costs more than two writes. */
const MOST_BYTES_AS_TEXT = 8192;

/** Size above which the pieces are not joined but written one after the other. */
const MOST_BYTES_JOINED = 1024 * 1024;

export function bytesOf({ body }: RestResponse): number {
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

/**
 * Sends a response. `undefined`: the whole response was handed to the socket at once. Otherwise the promise resolves
 * when the last piece was handed over or the client has disconnected; a slow client delays the pieces.
 */
export function send(
  response: ServerResponse,
  { status, headers, body }: RestResponse,
  bytes: number,
): Promise<void> | undefined {
  response.writeHead(status, headers as OutgoingHttpHeaders);
  if (bytes > MOST_BYTES_JOINED) return sendPieces(response, body);
  if (bytes > MOST_BYTES_AS_TEXT) response.end(joined(body));
  else response.end(body.map(latin1Of).join(""), "latin1");
  return undefined;
}

async function sendPieces(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += MOST_BYTES_JOINED) {
      if (response.destroyed) return;
      if (!response.write(piece.subarray(at, at + MOST_BYTES_JOINED))) await drained(response);
    }
  }
  response.end();
}

/** Resolves when the socket has drained, or closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      response.off("drain", goOn);
      response.off("close", goOn);
      resolve();
    };
    response.on("drain", goOn);
    response.on("close", goOn);
  });
}

/** Compresses a response with gzip; an empty one is returned unchanged. */
export async function packed(answer: RestResponse): Promise<RestResponse> {
  const whole = joined(answer.body);
  if (whole.length === 0) return answer;
  const bytes = await promisify(gzip)(whole, { level: 3 });
  const headers: Record<string, string | readonly string[]> = { ...answer.headers };
  headers["content-encoding"] = "gzip";
  headers["content-length"] = String(bytes.length);
  return { status: answer.status, headers, body: [bytes] };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** String of one character for each byte, which Node sends unchanged as latin1. */
function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("latin1");
}

export function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers["accept-encoding"];
  return typeof accepted === "string" && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted);
}

/** Sends an error response, unless the client has disconnected. */
export function sendProblem(response: ServerResponse, error: unknown): void {
  // The client has disconnected in the middle of its request, so no response is sent.
  if (response.destroyed) return;
  const problem = problemOf(error);
  const told = problemJson(problem);
  const { status } = problem;
  const body = JSON.stringify({ error: { root_cause: [told], ...told }, status });
  const headers = {
    "X-OpenSearch-Version": `OpenSearch/${version} (opensearch)`,
    "content-type": "application/json; charset=UTF-8",
    "content-length": String(Buffer.byteLength(body)),
  };
  response.writeHead(status, headers).end(body);
}
