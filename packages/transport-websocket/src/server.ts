/** The accepting end: one WebSocket server on one port. The path of a request is its channel class. */
import { createServer, type IncomingMessage } from "node:http";
import {
  createServer as createListener,
  isIP,
  type AddressInfo,
  type Server as Listener,
  type Socket,
} from "node:net";
import {
  channelClasses,
  createUnopenedSockets,
  keepAliveMs,
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import { WebSocketServer, type WebSocket } from "ws";
import { createConnection, type SocketConnection } from "./connection.ts";
import { limitOpening } from "./opening.ts";

export interface ServerOptions {
  readonly host: string;
  readonly moreHosts: readonly string[];
  readonly port: number;
  readonly queueBytes: number;
  /** Names of this node in `Host` headers besides `localhost` and addresses, in lower case. */
  readonly ownNames: readonly string[];
  readonly accept: (connection: Connection) => ConnectionEvents;
  readonly onOpened: (connection: SocketConnection) => void;
  readonly onEnded: (connection: SocketConnection) => void;
}

export interface RunningServer {
  readonly port: number;
  stop(): void;
}

/**
 * Starts to listen for connections of other nodes.
 * @throws OperationError The address cannot be bound, for instance because the port is in use.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, moreHosts, port } = options;
  const http = createServer({ maxHeaderSize: HEADER_BYTES_MOST }, (_, response) => {
    response.writeHead(426, { connection: "close" }).end();
  });
  // Node checks these timeouts only every 30 s; `unopened` has a timer for each socket.
  http.headersTimeout = 0;
  http.requestTimeout = 0;
  http.maxRequestsPerSocket = 1;
  const unopened = createUnopenedSockets<Socket>({
    setTimer: (ms, run) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
    cut: (socket) => void socket.destroy(),
  });
  http.on("connection", (socket: Socket) => {
    socket.setKeepAlive(true, keepAliveMs);
    unopened.enter(socket);
    socket.once("close", () => unopened.leave(socket));
  });
  const server = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    verifyClient: ({ req }, answer) => {
      const refusal = refusalOf(req, options.ownNames);
      answer(refusal === undefined, refusal?.status, refusal?.why);
    },
  });
  server.on("connection", (webSocket, request) => {
    unopened.leave(request.socket);
    acceptSocket(webSocket, request, options);
  });
  // Errors of the HTTP server are events of the WebSocket server, too, which must have a listener.
  server.on("error", () => undefined);
  await listen(http, host, port);
  const { port: boundPort } = http.address() as AddressInfo;
  const others: Listener[] = [];
  const stop = (): void => {
    server.close();
    for (const listener of [http, ...others]) listener.close();
    // WebSockets are closed by their connections; other sockets have no request worth waiting for.
    http.closeAllConnections();
  };
  try {
    for (const other of moreHosts) {
      const listener = createListener({ allowHalfOpen: true }, (socket) => {
        http.emit("connection", socket);
      });
      await listen(listener, other, boundPort);
      others.push(listener);
    }
  } catch (error) {
    stop();
    throw error;
  }
  return { port: boundPort, stop };
}

function listen(listener: Listener, host: string, port: number): Promise<void> {
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    listener.once("error", (error) => reject(cannotBind(address, error)));
    listener.listen(port, host, resolve);
  });
}

const HEADER_BYTES_MOST = 8 * 1024;

/**
 * Refuses web pages. Browsers always send `Origin`, nodes never. A page that reaches this address under a name of its
 * own (DNS rebinding) has that name as `Host`.
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
    onEnded: () => options.onEnded(end),
  });
  options.onOpened(end);
  limitOpening(webSocket, request.socket, OPENING_FRAMES);
  end.attach(options.accept(end.connection));
  end.opened(request.socket);
}

/** The connecting end sends a greeting, then a proof, before the handshake ends. */
const OPENING_FRAMES = 2;

function channelOf(request: IncomingMessage): ChannelClass | undefined {
  return channelClasses.find((known) => request.url === `/${known}`);
}

function cannotBind(address: string, cause: NodeJS.ErrnoException): OperationError {
  const why = bindProblems.get(cause.code ?? "") ?? cause.message;
  return new OperationError({
    type: "bind_transport_exception",
    reason: `Failed to bind to [${address}]: ${why}`,
    status: 500,
  });
}

const bindProblems: ReadonlyMap<string, string> = new Map([
  ["EADDRINUSE", "the port is in use"],
  ["EADDRNOTAVAIL", "this machine has no such address"],
]);
