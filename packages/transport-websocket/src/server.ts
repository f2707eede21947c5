/** The end that accepts connections: one WebSocket server on one port; the path names the channel class. */
import type { IncomingMessage } from "node:http";
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
  const server = new WebSocketServer({
    host,
    port,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    verifyClient: ({ req }, answer) => answer(channelOf(req) !== undefined, 400, "unknown channel"),
  });
  server.on("connection", (webSocket, request) => acceptSocket(webSocket, request, options));
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error) => reject(cannotBind(`${host}:${port}`, error)));
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    stop: () => server.close(),
  };
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
  end.attach(options.accept(end.connection));
  end.opened(request.socket);
}

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
