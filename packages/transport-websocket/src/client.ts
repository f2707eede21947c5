/** The end that opens a connection: a socket for each peer and channel class. */
import type { ChannelClass, ConnectionEvents } from "@orrery/ports";
import { keepAliveMs, maxFrameBytes } from "@orrery/ports";
import { WebSocket } from "ws";
import { createConnection, type SocketConnection } from "./connection.ts";
import { boundOpening } from "./opening.ts";

/** The other end answers a greeting with its own, which holds its proof. */
const OPENING_FRAMES = 1;

export interface ClientOptions {
  readonly address: string;
  readonly channel: ChannelClass;
  readonly queueBytes: number;
  readonly connectTimeoutMs: number;
  readonly onOver: (connection: SocketConnection) => void;
}

export function openConnection(options: ClientOptions, events: ConnectionEvents): SocketConnection {
  const { address, channel } = options;
  const webSocket = new WebSocket(`ws://${address}/${channel}`, {
    // A pool of its own: the global one may be told by the environment to use a proxy.
    agent: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handshakeTimeout: options.connectTimeoutMs,
    // Masking protects proxies from scripts of web pages; between nodes it only costs.
    generateMask: (mask) => void mask.fill(0),
  });
  const end: SocketConnection = createConnection({
    channel,
    remote: address,
    webSocket,
    queueBytes: options.queueBytes,
    onOver: () => options.onOver(end),
  });
  end.attach(events);
  webSocket.on("upgrade", ({ socket }) => {
    socket.setKeepAlive(true, keepAliveMs);
    webSocket.on("open", () => {
      boundOpening(webSocket, socket, OPENING_FRAMES);
      end.opened(socket);
    });
  });
  return end;
}
