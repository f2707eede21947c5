/**
 * Large frames travel in pieces, so that a message of gRPC is small, whoever sends it: gRPC collects one whole before it hands it on.
 *
 * The pieces of a frame follow each other, with nothing between them. Until the handshake is over a connection takes no more than
 * `openingBytesMost` in all.
 */
import { maxFrameBytes, openingBytesMost } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import type { Packet } from "./packet.ts";

/** A frame of this size still travels whole. */
export const pieceBytes: number = 128 * 1024;

/** Small frames in one packet, each large one in its pieces; the order stays. */
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

export interface FrameReader {
  /** The frames that are whole with this packet. Throws `OperationError` for one that no node sends. */
  take(packet: Packet): readonly Uint8Array[];
}

/** `openingFrames`: so many come before the handshake is over. */
export function createFrameReader(openingFrames: number): FrameReader {
  let whole: Uint8Array | undefined;
  let filled = 0;
  let frames = 0;
  let bytes = 0;

  const checkOpening = (packet: Packet): void => {
    if (frames >= openingFrames) return;
    bytes += packet.frame.reduce((sum, { length }) => sum + length, 0);
    bytes += packet.size ?? 0;
    // Behind its proof the other end may send at once what it likes.
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
