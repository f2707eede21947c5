/** The end that accepts connections: one WebSocket server on one port; the path names the channel class. */
import { createServer, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import {
  channelClasses,
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import { WebSocketServer, type WebSocket } from "ws";
import { createConnection, type SocketConnection } from "./connection.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly queueBytes: number;
  /** What this node may be called besides `localhost` and addresses, in lower case. */
  readonly ownNames: readonly string[];
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly onOpened: (connection: SocketConnection) => void;
  readonly onOver: (connection: SocketConnection) => void;
}

export interface RunningServer {
  readonly port: number;
  stop(): void;
}

/** Rejects with `OperationError` when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port } = options;
  const http = createServer({ maxHeaderSize: HEADER_BYTES_MOST }, (_, response) => {
    response.writeHead(426, { connection: "close" }).end();
  });
  http.headersTimeout = OPENING_MS;
  http.requestTimeout = OPENING_MS;
  http.maxRequestsPerSocket = 1;
  const server = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    verifyClient: ({ req }, answer) => {
      const refusal = refusalOf(req, options.ownNames);
      answer(refusal === undefined, refusal?.status, refusal?.why);
    },
  });
  server.on("connection", (webSocket, request) => acceptSocket(webSocket, request, options));
  await new Promise<void>((resolve, reject) => {
    http.once("listening", resolve);
    server.once("error", (error) => reject(cannotBind(`${host}:${port}`, error)));
    http.listen(port, host);
  });
  const bound = http.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    stop: () => {
      server.close();
      http.close();
      // Connections of the protocol close as such; others said nothing that is worth waiting for.
      http.closeAllConnections();
    },
  };
}

/** Whoever opens a connection has said in this time which one. */
const OPENING_MS = 10_000;
const HEADER_BYTES_MOST = 8 * 1024;

/**
 * Nodes send no `Origin`: browsers do, always, and a page has nothing to say here. Nor does one that was led here by a name of its
 * own for this address, which the `Host` would be.
 */
function refusalOf(
  request: IncomingMessage,
  ownNames: readonly string[],
): { readonly status: number; readonly why: string } | undefined {
  const { origin, host = "" } = request.headers;
  if (origin !== undefined || request.headers["sec-fetch-site"] !== undefined)
    return { status: 403, why: "not for web pages" };
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (isIP(name) === 0 && name !== "localhost" && !ownNames.includes(name))
    return { status: 403, why: "not a name of this node" };
  if (channelOf(request) === undefined) return { status: 400, why: "unknown channel" };
  return undefined;
}

function acceptSocket(
  webSocket: WebSocket,
  request: IncomingMessage,
  options: ServerOptions,
): void {
  const channel = channelOf(request);
  if (channel === undefined) return;
  const { remoteAddress, remotePort } = request.socket;
  const end: SocketConnection = createConnection({
    channel,
    remote: `${remoteAddress}:${remotePort}`,
    webSocket,
    queueBytes: options.queueBytes,
    onOver: () => options.onOver(end),
  });
  options.onOpened(end);
  boundOpening(webSocket, request.socket);
  end.attach(options.accept(end.connection));
  end.opened(request.socket);
}

/**
 * A greeting and a proof are small and come first. A connection that sends more before they are whole is cut off: a stranger holds no
 * more memory than this, whatever size a frame may have later.
 */
function boundOpening(webSocket: WebSocket, socket: Socket): void {
  let messages = 0;
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > OPENING_BYTES_MOST && messages < OPENING_MESSAGES) webSocket.terminate();
  };
  const counted = (): void => {
    messages += 1;
    if (messages < OPENING_MESSAGES) return;
    socket.off("data", count);
    webSocket.off("message", counted);
  };
  webSocket.on("message", counted);
  socket.on("data", count);
}

const OPENING_MESSAGES = 2;
/** Four greetings of the largest size. */
const OPENING_BYTES_MOST = 256 * 1024;

function channelOf(request: IncomingMessage): ChannelClass | undefined {
  return channelClasses.find((known) => request.url === `/${known}`);
}

function cannotBind(address: string, cause: Error): OperationError {
  const isTaken = cause.message.includes("EADDRINUSE");
  const why = isTaken ? "the port is in use" : cause.message;
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${address}]: ${why}`,
    status: 500,
  });
}
