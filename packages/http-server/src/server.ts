/**
 * HTTP for `rest`: collects a request's bytes, hands them to `dispatch`, sends what comes back. Express carries the bytes;
 * which operation is meant, and every error a client can make in it, is `dispatch`'s business.
 */
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { version, type RestRequest, type RestResponse } from "@orrery/rest";
import { createIdTable, OperationError, type IdTable } from "@orrery/stdx";
import express from "express";
import { emptyBody, hasBody, readBody } from "./body.ts";

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** What it rejects with is the answer, but for `ConnectionCut`. */
  readonly dispatch: (request: RestRequest) => Promise<RestResponse>;
  /** `http.max_content_length`; default 100mb. */
  readonly maxContentLengthBytes?: number;
  /** `http.max_initial_line_length`; default 4kb. */
  readonly maxInitialLineBytes?: number;
}

export interface HttpServer {
  /** The bound one, also when port 0 was asked for. */
  readonly port: number;
  readonly openConnections: number;
  readonly totalOpened: number;
  /** Takes no new request, lets running ones end for so long (two seconds), closes idle connections at once. */
  close(graceMs?: number): Promise<void>;
}

/** Of a request whose node is no more: its connection ends without an answer. */
export class ConnectionCut extends Error {}

// An import of this module's names would load everything they stand for, a web client among it: a tenth of a node's start.
const { createServer } = process.getBuiltinModule("node:http");

const DEFAULT_MAX_CONTENT_BYTES = 100 * 1024 * 1024;
const DEFAULT_MAX_LINE_BYTES = 4096;

/** How long running requests may take to end before their connections are cut. */
const CLOSE_GRACE_MS = 2000;

/** Rejects with `OperationError` when the port is taken. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const running = createIdTable<ServerResponse>();
  let carry: express.Express | undefined;
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, requireHostHeader: false },
    (request, response) => {
      // Made for the first request: a node that starts has better things to do.
      carry ??= createCarrier(options, running);
      carry(request, response);
    },
  );
  const maxLineBytes = options.maxInitialLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    refuseNonsense(error, socket, maxLineBytes),
  );
  let totalOpened = 0;
  const open = new Set<Duplex>();
  server.on("connection", (socket) => {
    totalOpened += 1;
    open.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => open.delete(socket));
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    get openConnections() {
      return open.size;
    },
    get totalOpened() {
      return totalOpened;
    },
    close: (graceMs = CLOSE_GRACE_MS) => close(server, running, graceMs),
  };
}

function createCarrier(
  options: HttpServerOptions,
  running: IdTable<ServerResponse>,
): express.Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  let last = 0;
  app.use((request: IncomingMessage, response: ServerResponse) => {
    const exchange: Exchange = { request, response, cancel: undefined };
    last += 1;
    const number = last;
    running.set(number, response);
    response.on("close", () => {
      running.delete(number);
      if (!response.writableFinished) exchange.cancel?.();
    });
    void serve(options, exchange);
  });
  return app;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** To be called when the client goes away. */
  cancel: (() => void) | undefined;
}

async function serve(options: HttpServerOptions, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  try {
    refuseLongLine(options, request);
    const body = hasBody(request)
      ? await readBody(request, options.maxContentLengthBytes ?? DEFAULT_MAX_CONTENT_BYTES)
      : emptyBody;
    const answer = await options.dispatch({
      method: request.method ?? "GET",
      uri: request.url ?? "/",
      headers: headersOf(request),
      body,
      onClose: (cancel) => {
        exchange.cancel = cancel;
      },
    });
    if (acceptsGzip(request)) await sendPacked(response, answer);
    else send(response, answer);
  } catch (error) {
    if (error instanceof ConnectionCut) response.destroy();
    else sendProblem(response, error);
  }
}

function sendProblem(response: ServerResponse, error: unknown): void {
  // The client went away in the middle of its own request: nobody is left to be answered.
  if (response.destroyed) return;
  const problem = error instanceof OperationError ? error.problem : undefined;
  const { type = "exception", reason = String(error), status = 500 } = problem ?? {};
  const body = JSON.stringify({ error: { root_cause: [{ type, reason }], type, reason }, status });
  const headers = {
    "X-OpenSearch-Version": `OpenSearch/${version} (opensearch)`,
    "content-type": "application/json; charset=UTF-8",
    "content-length": String(Buffer.byteLength(body)),
  };
  response.writeHead(status, headers).end(body);
}

function refuseLongLine(options: HttpServerOptions, { method, url }: IncomingMessage): void {
  const maxLine = options.maxInitialLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  const lineBytes = (method?.length ?? 0) + (url?.length ?? 1) + " HTTP/1.1".length + 1;
  if (lineBytes <= maxLine) return;
  const reason = `An HTTP line is larger than ${maxLine} bytes.`;
  throw new OperationError({ type: "too_long_http_line_exception", reason, status: 400 });
}

/** Joined by commas as Node does, but for the header that must not come twice: there each value counts. */
function headersOf(request: IncomingMessage): RestRequest["headers"] {
  const { headers } = request;
  if (!String(headers["x-opaque-id"] ?? "").includes(",")) return headers;
  return { ...headers, "x-opaque-id": request.headersDistinct["x-opaque-id"] };
}

/** So long that joining head and body to one text costs more than sending two pieces. */
const MOST_BYTES_AS_TEXT = 8192;

function send(response: ServerResponse, { status, headers, body }: RestResponse): void {
  response.writeHead(status, headers as OutgoingHttpHeaders);
  const bytes = body.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes > MOST_BYTES_AS_TEXT) response.end(joined(body));
  else response.end(body.map(latin1Of).join(""), "latin1");
}

async function sendPacked(response: ServerResponse, answer: RestResponse): Promise<void> {
  const whole = joined(answer.body);
  if (whole.length === 0) {
    send(response, answer);
    return;
  }
  const packed = await promisify(gzip)(whole, { level: 3 });
  const headers: Record<string, string | readonly string[]> = { ...answer.headers };
  headers["content-encoding"] = "gzip";
  headers["content-length"] = String(packed.length);
  response.writeHead(answer.status, headers as OutgoingHttpHeaders).end(packed);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** Each byte as the character of that number: the text that Node sends byte for byte. */
function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("latin1");
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers["accept-encoding"];
  return typeof accepted === "string" && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted);
}

/** What is not HTTP has no request to answer: the product's words, and the connection ends. */
function refuseNonsense(error: NodeJS.ErrnoException, socket: Duplex, maxLineBytes: number): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { type, reason } = nonsense(error, maxLineBytes);
  const body = JSON.stringify({
    error: { root_cause: [{ type, reason }], type, reason },
    status: 400,
  });
  const head = [
    "HTTP/1.1 400 Bad Request",
    "content-type: application/json; charset=UTF-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function nonsense(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
  maxLineBytes: number,
): { readonly type: string; readonly reason: string } {
  if (error.code !== "HPE_HEADER_OVERFLOW") {
    const reason = "invalid version format or malformed request";
    return { type: "illegal_argument_exception", reason };
  }
  const isLine = error.rawPacket?.subarray(0, maxLineBytes).includes("\n") === false;
  if (isLine) {
    const reason = `An HTTP line is larger than ${maxLineBytes} bytes.`;
    return { type: "too_long_http_line_exception", reason };
  }
  const reason = "HTTP header is larger than 16384 bytes.";
  return { type: "too_long_http_header_exception", reason };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const reason = isTaken
        ? `the HTTP address [${host}:${port}] is taken`
        : `cannot serve HTTP on [${host}:${port}]: ${error.message}`;
      reject(new OperationError({ type: "bind_http_exception", reason, status: 500 }));
    });
    server.listen(port, host, resolve);
  });
}

function close(server: Server, running: IdTable<ServerResponse>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection kept alive would hold up the end: each closes with the answer it waits for.
    for (const response of running.values()) {
      const { socket } = response;
      response.shouldKeepAlive = false;
      response.once("finish", () => socket?.end());
    }
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
