/**
 * HTTP server for `rest`: reads a request's bytes, passes them to `dispatch`, sends the response. Routing and all
 * client errors of an operation are the task of `dispatch`.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { RestRequest, RestResponse } from "@orrery/rest";
import { createIdTable, OperationError, type IdTable } from "@orrery/stdx";
import {
  ClientGone,
  emptyBody,
  hasBody,
  readBody,
  type BodyLimits,
  type ReadBody,
} from "./body.ts";
import { enqueueRequest, completeRequest } from "./connection-queue.ts";
import { answersPage, type CorsPolicy } from "./cors.ts";
import { createHeldBytes, type HeldBytes } from "./held-bytes.ts";
import { closeListener, listenOnAll } from "./listening.ts";
import { createLargeBodies } from "./large-bodies.ts";
import { acceptsGzip, bytesOf, packed, send, sendProblem } from "./send.ts";
import { createTurns, type Turns } from "./turns.ts";
import { cutStalled, STALL_MS, type Exchange } from "./stalls.ts";

export interface HttpServerOptions {
  readonly host: string;
  /** Other addresses to listen on, with the same port. */
  readonly moreHosts?: readonly string[];
  readonly port: number;
  /**
   * Executes a request. A rejection becomes an error response; a rejection with `ConnectionCut` closes the connection
   * without a response.
   */
  readonly dispatch: (request: RestRequest) => Promise<RestResponse>;
  /** Receives unexpected errors (bugs); the client sees only a 500 response. */
  readonly onUnforeseen?: (thrown: unknown) => void;
  /** `http.max_content_length`; default 100mb. */
  readonly maxContentLengthBytes?: number;
  /** `http.max_initial_line_length`; default 4kb. */
  readonly maxInitialLineBytes?: number;
  /**
   * Limit of the bytes held by bodies and responses in progress, and the factor they are counted with; default: 2 GB,
   * 2.
   */
  readonly inFlight?: { readonly limitBytes: number; readonly overhead: number };
  /** Limit of the bytes of hits and documents of all responses in progress; default: 600 MB. */
  readonly mostAnswerBytes?: number;
  /** `http.cors.*`; default: no CORS headers. */
  readonly cors?: CorsPolicy | undefined;
  /**
   * Interval of the check that closes the connection of a client that sends a body or reads a response, and has moved
   * fewer than 16 KiB since the check before; default: a minute.
   */
  readonly stallMs?: number;
}

export interface HttpServer {
  /** Bound port, also if port 0 was requested. */
  readonly port: number;
  readonly openConnections: number;
  readonly totalOpened: number;
  /** Bytes held by bodies and responses in progress. */
  readonly heldBytes: number;
  /**
   * Accepts no new connections, closes idle connections at once and each other one when its running request has
   * completed, or after `graceMs` (default: two seconds).
   */
  close(graceMs?: number): Promise<void>;
}

/** The request's node has ended: the connection is closed without a response. */
export class ConnectionCut extends Error {}

// Named imports of this module would load all of its exports, including a web client: a tenth of a node's start-up
// time.
const { createServer } = process.getBuiltinModule("node:http");

const DEFAULT_MAX_CONTENT_BYTES = 100 * 1024 * 1024;
const DEFAULT_MAX_LINE_BYTES = 4096;

const IN_FLIGHT = { limitBytes: 2 * 1024 ** 3, overhead: 2 };

/**
 * Limit for hits and documents of all responses: three fifths of a heap of 1 GB, the default limit of the product's
 * breaker. The text of a response needs as much again.
 */
const MOST_ANSWER_BYTES = 600 * 1024 ** 2;

/** Time within which a client must send the head of its request. */
const HEAD_MS = 60_000;

/** Limit of open connections, each of which costs a descriptor and some memory. */
const MOST_CONNECTIONS = 10_000;

/** Time that a client whose request was rejected has to finish sending it. */
const LINGER_MS = 5000;

/** Time that running requests have to complete during `close`. */
const CLOSE_GRACE_MS = 2000;

/**
 * Starts the server.
 * @throws OperationError The address cannot be bound, for instance because the port is in use.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const running = createIdTable<Exchange>();
  const held = createHeldBytes({
    breaker: "in_flight_requests",
    label: "<http_request>",
    ...(options.inFlight ?? IN_FLIGHT),
  });
  const answers = createHeldBytes({
    breaker: "request",
    label: "<http_answer>",
    limitBytes: options.mostAnswerBytes ?? MOST_ANSWER_BYTES,
    overhead: 1,
  });
  const server = createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: HEAD_MS, requireHostHeader: false },
    createListener(options, running, { held, answers }),
  );
  server.maxConnections = MOST_CONNECTIONS;
  const maxLineBytes = options.maxInitialLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  const refused = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Bytes after malformed ones are dropped until the client has read the error response.
    if (refused.has(socket) && error.code !== "ECONNRESET") return;
    refused.add(socket);
    refuseNonsense(error, socket, maxLineBytes);
  });
  let totalOpened = 0;
  const open = new Set<Duplex>();
  server.on("connection", (socket) => {
    totalOpened += 1;
    open.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => open.delete(socket));
  });
  const hosts = [options.host, ...(options.moreHosts ?? [])];
  const listeners = await listenOnAll(server, {
    ...{ hosts, port: options.port },
    maxConnections: MOST_CONNECTIONS,
  });
  const stopLooking = cutStalled(running, options.stallMs ?? STALL_MS);
  server.once("close", stopLooking);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    get openConnections() {
      return open.size;
    },
    get totalOpened() {
      return totalOpened;
    },
    get heldBytes() {
      return held.held + answers.held;
    },
    close: async (graceMs = CLOSE_GRACE_MS) => {
      await Promise.all([close(server, running, graceMs), ...listeners.map(closeListener)]);
    },
  };
}

interface Serving {
  readonly options: HttpServerOptions;
  readonly limits: BodyLimits;
  readonly answers: HeldBytes;
  readonly turns: Turns;
}

/** Handler of incoming requests: those of one connection start one after the other. */
function createListener(
  options: HttpServerOptions,
  running: IdTable<Exchange>,
  { held, answers }: { readonly held: HeldBytes; readonly answers: HeldBytes },
): (request: IncomingMessage, response: ServerResponse) => void {
  const maxBytes = options.maxContentLengthBytes ?? DEFAULT_MAX_CONTENT_BYTES;
  const limits = { maxBytes, held, largeBodies: createLargeBodies() };
  const serving: Serving = { options, limits, answers, turns: createTurns() };
  let last = 0;
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    last += 1;
    const number = last;
    // The product dates only its answers to preflights.
    response.sendDate = false;
    const exchange = createExchange(request, response);
    running.set(number, exchange);
    const served = serve(serving, exchange);
    response.on("close", () => {
      running.delete(number);
      if (!response.writableFinished) exchange.cancel?.();
      completeRequest(request.socket);
      // The operation may continue after its client has disconnected, and its bytes are held until it ends.
      void served.then(() => {
        exchange.isOver = true;
        held.give(exchange.heldBytes);
        answers.give(exchange.answerBytes);
      });
    });
  };
  return (request, response) => enqueueRequest(request.socket, () => begin(request, response));
}

function createExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    request,
    response,
    cancel: undefined,
    isReceiving: false,
    receivedBytes: 0,
    heldBytes: 0,
    answerBytes: 0,
    isOver: false,
    seenBytes: -1,
  };
}

const withoutBody: ReadBody = { body: emptyBody, leave: undefined };

async function serve(
  { options, limits, answers, turns }: Serving,
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange;
  try {
    refuseLongLine(options, request);
    if (options.cors !== undefined && answersPage(options.cors, request, response)) return;
    const { body, leave } = hasBody(request) ? await readBody(exchange, limits) : withoutBody;
    let answer: RestResponse;
    try {
      const turn = body.length === 0 ? undefined : turns.next();
      if (turn !== undefined) await turn;
      answer = await options.dispatch({
        method: request.method ?? "GET",
        uri: request.url ?? "/",
        headers: headersOf(request),
        body,
        onClose: (cancel) => {
          exchange.cancel = cancel;
        },
        hold: (bytes) => hold(exchange, bytes, answers),
      });
    } finally {
      leave?.();
    }
    await answerWith(exchange, answer, limits.held);
  } catch (error) {
    if (error instanceof ClientGone) return;
    if (error instanceof ConnectionCut || response.headersSent) response.destroy();
    else {
      if (!(error instanceof OperationError)) options.onUnforeseen?.(error);
      await dropRest(exchange);
      sendProblem(response, error);
    }
  }
}

/**
 * Reads and drops the rest of the body, for at most `LINGER_MS`, before a response that closes the connection: closing
 * a socket with unread bytes makes the operating system reset it and discard the response.
 */
async function dropRest({ request, response }: Exchange): Promise<void> {
  if (response.shouldKeepAlive || request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", end).once("close", end);
    request.resume();
  });
}

/** Counts bytes of the response; bytes that arrive after the exchange has ended are not counted. */
function hold(exchange: Exchange, bytes: number, answers: HeldBytes): void {
  if (exchange.isOver) return;
  answers.take(bytes);
  exchange.answerBytes += bytes;
}

async function answerWith(
  exchange: Exchange,
  answer: RestResponse,
  held: HeldBytes,
): Promise<void> {
  const { request, response } = exchange;
  // The client has disconnected, and the `close` event of the response has already occurred.
  if (response.destroyed) return;
  const sent = acceptsGzip(request) ? await packed(answer) : answer;
  const bytes = bytesOf(sent);
  held.add(bytes);
  exchange.heldBytes += bytes;
  await send(response, sent, bytes);
}

function refuseLongLine(options: HttpServerOptions, { method, url }: IncomingMessage): void {
  const maxLine = options.maxInitialLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  const lineBytes = (method?.length ?? 0) + (url?.length ?? 1) + " HTTP/1.1".length + 1;
  if (lineBytes <= maxLine) return;
  const reason = `An HTTP line is larger than ${maxLine} bytes.`;
  throw new OperationError({ type: "too_long_http_line_exception", reason, status: 400 });
}

/**
 * Headers with repeated values joined by commas, as Node does, except `x-opaque-id`: it must not be repeated, so each
 * value is kept.
 */
function headersOf(request: IncomingMessage): RestRequest["headers"] {
  const { headers } = request;
  if (!String(headers["x-opaque-id"] ?? "").includes(",")) return headers;
  return { ...headers, "x-opaque-id": request.headersDistinct["x-opaque-id"] };
}

/** Responds to bytes that are no valid HTTP with the product's error body, and closes the connection. */
function refuseNonsense(error: NodeJS.ErrnoException, socket: Duplex, maxLineBytes: number): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    socket.end("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
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

function close(server: Server, running: IdTable<Exchange>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A keep-alive connection would delay `close`, so each is closed after the response in progress.
    for (const { response } of running.values()) {
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
