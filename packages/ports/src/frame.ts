/**
 * The frame: what one `Network.send` carries. Action, sender and receiver are readable without decoding the payload.
 *
 * Layout: version byte, kind byte, then varints and length-prefixed texts in the order of `FrameHeader`, then payload.
 */
import {
  AssertionError,
  createByteReader,
  createByteWriter,
  OperationError,
  type ByteReader,
} from "@orrery/stdx";

/** Raised when the layout of frames or messages changes in a way an older node cannot read. */
export const frameVersion = 1;

const kinds = [
  "request",
  "response",
  "error",
  "cancel",
  "one-way",
  // All but the last part of a large payload; the last one comes as the request or response itself.
  "request-part",
  "response-part",
  // One such part has arrived. The credit for a request's part goes to the requester, as an answer does.
  "request-credit",
  "response-credit",
] as const;
export type FrameKind = (typeof kinds)[number];

export interface FrameHeader {
  readonly kind: FrameKind;
  /** Names the request within the endpoint that made it. 0 on one-way frames. */
  readonly correlationId: number;
  /** Node ids; empty before the handshake has told them. */
  readonly from: string;
  readonly to: string;
  /** Which endpoint of the requesting node asked: 0 the node itself, n its shard worker n. Answers go back there. */
  readonly endpoint: number;
  readonly action: string;
  /** `indexUuid/shard` when a shard worker is meant, else empty. */
  readonly shard: string;
  /** What is left of the requester's time when it was sent; 0 = no deadline. */
  readonly timeoutMs: number;
  /** How many parts of the same payload came before this frame. Absent: none. */
  readonly part?: number;
}

export interface Frame extends FrameHeader {
  readonly part: number;
  /** A view into the frame that was read. */
  readonly payload: Uint8Array;
}

export function encodeFrame(header: FrameHeader, payload: Uint8Array): Uint8Array {
  const writer = createByteWriter(payload.length + 160);
  writer.byte(frameVersion);
  writer.byte(kinds.indexOf(header.kind));
  writer.varint(header.correlationId);
  writer.text(header.from);
  writer.text(header.to);
  writer.varint(header.endpoint);
  writer.text(header.action);
  writer.text(header.shard);
  writer.varint(Math.ceil(header.timeoutMs));
  writer.varint(header.part ?? 0);
  writer.raw(payload);
  return writer.finish();
}

export type FrameLabel = Pick<FrameHeader, "kind" | "correlationId" | "action">;

/** What a frame is, for those who only pass it on; throws as `decodeFrame` does. */
export function readFrameLabel(bytes: Uint8Array): FrameLabel {
  return read(bytes, (reader, kind) => {
    const correlationId = reader.varint();
    reader.block();
    reader.block();
    reader.varint();
    return { kind, correlationId, action: reader.text() };
  });
}

/** Throws `OperationError` for a frame of another version or one that is no frame. */
export function decodeFrame(bytes: Uint8Array): Frame {
  return read(bytes, (reader, kind) => ({
    kind,
    correlationId: reader.varint(),
    from: reader.text(),
    to: reader.text(),
    endpoint: reader.varint(),
    action: reader.text(),
    shard: reader.text(),
    timeoutMs: reader.varint(),
    part: reader.varint(),
    payload: reader.rest(),
  }));
}

function read<T>(bytes: Uint8Array, rest: (reader: ByteReader, kind: FrameKind) => T): T {
  const version = bytes[0];
  if (version !== frameVersion) {
    const reason = `received message from unsupported version: [${version}] minimal compatible version is: [${frameVersion}]`;
    throw new OperationError({ type: "illegal_state_exception", reason, status: 500 });
  }
  try {
    const reader = createByteReader(bytes, 1);
    const kind = kinds[reader.byte()];
    if (kind === undefined) throw new AssertionError("unknown frame kind");
    return rest(reader, kind);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const reason = `invalid internal transport message format: ${error.message}`;
    throw new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
  }
}
