/**
 * Splitting of large frames into pieces: gRPC collects a whole message in memory before it delivers it, so messages
 * must be small.
 *
 * The pieces of a frame follow each other without other frames between them. Before the handshake has ended a
 * connection accepts at most `openingBytesMost` bytes in all.
 */
import { maxFrameBytes, openingBytesMost } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import type { Packet } from "./packet.ts";

/** Largest frame that travels whole, and size of a piece. */
export const pieceBytes: number = 128 * 1024;

/** The packets for frames, in their order: small frames together, each large one in pieces. */
export function packetsOf(frames: readonly Uint8Array[]): readonly Packet[] {
  const packets: Packet[] = [];
  let small: Uint8Array[] = [];
  for (const frame of frames) {
    if (frame.length <= pieceBytes) {
      small.push(frame);
      continue;
    }
    if (small.length > 0) packets.push({ frame: small });
    small = [];
    for (let at = 0; at < frame.length; at += pieceBytes) {
      const piece = frame.subarray(at, at + pieceBytes);
      packets.push({ frame: [], piece, size: at === 0 ? frame.length : 0 });
    }
  }
  if (small.length > 0) packets.push({ frame: small });
  return packets;
}

/** The frames of one connection's packets. */
export interface FrameReader {
  /** The frames that are complete with this packet. Throws `OperationError` for a packet that no node sends. */
  take(packet: Packet): readonly Uint8Array[];
}

/** `openingFrames`: the number of frames before the handshake has ended. */
export function createFrameReader(openingFrames: number): FrameReader {
  let whole: Uint8Array | undefined;
  let filled = 0;
  let frames = 0;
  let bytes = 0;

  const checkOpening = (packet: Packet): void => {
    if (frames >= openingFrames) return;
    bytes += packet.frame.reduce((sum, { length }) => sum + length, 0);
    bytes += packet.size ?? 0;
    // The packet with the last frame of the handshake may hold later frames of any size.
    const isWhole = frames + packet.frame.length >= openingFrames;
    if (bytes > openingBytesMost && !isWhole) throw corrupted("much before the handshake was over");
  };

  const join = (piece: Uint8Array, size: number): Uint8Array | undefined => {
    if (size > 0) {
      if (whole !== undefined) throw corrupted("a frame within another one");
      if (size > maxFrameBytes) throw corrupted(`a frame of [${size}] bytes`);
      whole = new Uint8Array(size);
      filled = 0;
    }
    if (whole === undefined || filled + piece.length > whole.length)
      throw corrupted("a piece of no frame");
    whole.set(piece, filled);
    filled += piece.length;
    if (filled < whole.length) return undefined;
    const done = whole;
    whole = undefined;
    return done;
  };

  return {
    take(packet) {
      checkOpening(packet);
      const { frame, piece, size = 0 } = packet;
      let taken = frame;
      if (piece !== undefined && piece.length > 0) {
        const joined = join(piece, size);
        taken = joined === undefined ? frame : [...frame, joined];
      } else if (whole !== undefined || size > 0) throw corrupted("a frame with a gap");
      frames += taken.length;
      return taken;
    },
  };
}

function corrupted(what: string): OperationError {
  return new OperationError({ type: "stream_corrupted_exception", reason: what, status: 400 });
}
