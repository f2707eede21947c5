/** Limits of a connection before its handshake is over. */
import type { Socket } from "node:net";
import { openingBytesMost } from "@orrery/ports";
import type { WebSocket } from "ws";

/**
 * A greeting and a proof are small and come first. A connection that brings more before they are whole is cut off: a stranger holds no
 * more memory than this, whatever size a frame may have later.
 */
export function boundOpening(webSocket: WebSocket, socket: Socket, frames: number): void {
  let messages = 0;
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > openingBytesMost && messages < frames) webSocket.terminate();
  };
  const counted = (): void => {
    messages += 1;
    if (messages < frames) return;
    socket.off("data", count);
    webSocket.off("message", counted);
  };
  webSocket.on("message", counted);
  socket.on("data", count);
}
