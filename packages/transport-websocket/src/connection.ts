/** One connection over one WebSocket, for either end. */
import type { Socket } from "node:net";
import {
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { assert } from "@orrery/stdx";
import type { RawData, WebSocket } from "ws";
import { createOutbox } from "./outbox.ts";

/** A connection, with the methods by which its socket's owner drives it. */
export interface SocketConnection {
  readonly connection: Connection;
  /** Sets the receiver of events, before any event. */
  attach(events: ConnectionEvents): void;
  /** The handshake of the WebSocket is complete: waiting frames are sent. */
  opened(socket: Socket): void;
  /** Closes the socket at once. */
  terminate(): void;
}

export interface ConnectionOptions {
  readonly channel: ChannelClass;
  readonly remote: string;
  readonly webSocket: WebSocket;
  readonly queueBytes: number;
  /** The socket has closed, perhaps some time after `close`. */
  readonly onEnded: () => void;
}

/** Time after `close` for the peer to read the last frames. */
const lingerMs = 1000;
const normalClosure = 1000;
const UNSUPPORTED_DATA = 1003;

export function createConnection(options: ConnectionOptions): SocketConnection {
  const { webSocket, remote } = options;
  let events: ConnectionEvents | undefined;
  let isClosed = false;
  let linger: NodeJS.Timeout | undefined;
  let failure: Error | undefined;

  const outbox = createOutbox({
    webSocket,
    queueBytes: options.queueBytes,
    onDrain: () => void (isClosed || events?.onDrain?.()),
  });

  const finish = (reason: string): void => {
    isClosed = true;
    outbox.discard();
    queueMicrotask(() => events?.onClose(reason));
  };

  webSocket.binaryType = "arraybuffer";
  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    if (isClosed) return;
    if (isBinary && data instanceof ArrayBuffer) events?.onFrame(new Uint8Array(data));
    // Frames are binary messages: a peer that sends text is no node.
    else webSocket.close(UNSUPPORTED_DATA);
  });
  webSocket.on("error", (error: Error) => {
    failure = error;
  });
  webSocket.on("close", (code: number) => {
    clearTimeout(linger);
    options.onEnded();
    if (isClosed) return;
    const why = failure === undefined ? "" : `: ${failure.message}`;
    finish(
      code === normalClosure ? `closed by [${remote}]` : `connection to [${remote}] lost${why}`,
    );
  });

  return {
    connection: {
      channel: options.channel,
      remote,
      send(frame) {
        assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
        return isClosed ? "accepted" : outbox.send(frame);
      },
      close() {
        if (isClosed) return;
        webSocket.close(normalClosure);
        linger = setTimeout(() => webSocket.terminate(), lingerMs).unref();
        finish("closed by this node");
      },
    },
    attach(receiver) {
      events = receiver;
    },
    opened(socket) {
      if (isClosed) return;
      outbox.open(socket);
      events?.onOpen?.();
    },
    terminate: () => webSocket.terminate(),
  };
}
