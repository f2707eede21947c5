/** The connecting end: one WebSocket per peer and channel class. */
import type { ChannelClass, ConnectionEvents } from "@orrery/ports";
import { keepAliveMs, maxFrameBytes } from "@orrery/ports";
import { WebSocket } from "ws";
import { createConnection, type SocketConnection } from "./connection.ts";
import { limitOpening } from "./opening.ts";

/** The accepting end sends one frame before the handshake ends: its greeting with its proof. */
const OPENING_FRAMES = 1;

export interface ClientOptions {
  readonly address: string;
  readonly channel: ChannelClass;
  readonly queueBytes: number;
  readonly connectTimeoutMs: number;
  /** The socket has closed; called once. */
  readonly onEnded: (connection: SocketConnection) => void;
}

/** Starts to connect; the result accepts frames at once, which wait until the socket is open. */
export function openConnection(options: ClientOptions, events: ConnectionEvents): SocketConnection {
  const { address, channel } = options;
  const webSocket = new WebSocket(`ws://${address}/${channel}`, {
    // No agent: the environment may configure the global one to use a proxy.
    agent: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    handshakeTimeout: options.connectTimeoutMs,
    // Masking protects proxies from scripts of web pages; between nodes a mask of zeros saves its cost.
    generateMask: (mask) => void mask.fill(0),
  });
  const end: SocketConnection = createConnection({
    channel,
    remote: address,
    webSocket,
    queueBytes: options.queueBytes,
    onEnded: () => options.onEnded(end),
  });
  end.attach(events);
  webSocket.on("upgrade", ({ socket }) => {
    socket.setKeepAlive(true, keepAliveMs);
    webSocket.on("open", () => {
      limitOpening(webSocket, socket, OPENING_FRAMES);
      end.opened(socket);
    });
  });
  return end;
}
