/** The limit of bytes before the handshake of a connection has ended. */
import type { Socket } from "node:net";
import { openingBytesMost } from "@orrery/ports";
import type { WebSocket } from "ws";

/**
 * Closes a connection that brings more than `openingBytesMost` before its first `frames` messages are complete.
 * Greeting and proof are small and come first, so a peer without a proof holds no more memory than this, however
 * large later frames may be.
 */
export function limitOpening(webSocket: WebSocket, socket: Socket, frames: number): void {
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
