/**
 * The frame: the unit that `Network.send` carries. Action, sender and receiver are readable without decoding the
 * payload.
 *
 * Layout: version byte, kind byte, then varints and length-prefixed texts in the order of `FrameHeader`, then the
 * payload up to the end of the frame. Encoding and decoding share a scratch buffer and a position in this module,
 * since neither is ever interrupted.
 */
import { anonymous, callerBytesMost, readCaller, type Caller } from "./caller.ts";
import { OperationError, shortBytes, utf8Decode, utf8Encode } from "@orrery/stdx";

/** Version of the layout of frames and messages. It rises with each change that an older node cannot read. */
export const frameVersion = 4;

const kinds = [
  "request",
  "response",
  "error",
  "cancel",
  "one-way",
  // A part of a large payload; the last part is the request or response itself.
  "request-part",
  "response-part",
  // Credits for a part that has arrived. The credit of a request's part is sent like an answer, the credit of a
  // response's part like the request.
  "request-credit",
  "response-credit",
] as const;
/** The kind of a frame, encoded as its index in `kinds`. */
export type FrameKind = (typeof kinds)[number];

/** The header of a frame. */
export interface FrameHeader {
  readonly kind: FrameKind;
  /** Identifies the request within the endpoint that made it; 0 on one-way frames. */
  readonly correlationId: number;
  /** Node ids; empty until the handshake has exchanged them. */
  readonly from: string;
  readonly to: string;
  /** The endpoint of the requesting node: 0 the node itself, n its shard worker n. Answers are addressed to it. */
  readonly endpoint: number;
  readonly action: string;
  /** `indexUuid/shard` when the frame is for a shard worker; for several shards their names joined by commas; else empty. */
  readonly shard: string;
  /** The requester's time that was left when the frame was sent; 0 without a deadline. */
  readonly timeoutMs: number;
  /** The number of parts of the same payload before this frame; default 0. */
  readonly part?: number;
  /** The number of the sending node's task that sends this frame; default 0, no task. */
  readonly task?: number;
  /** The request's caller; default anonymous. */
  readonly caller?: Caller;
}

/** A decoded frame. */
export interface Frame extends FrameHeader {
  readonly part: number;
  readonly task: number;
  readonly caller: Caller;
  /** A view into the decoded bytes. */
  readonly payload: Uint8Array;
}

export function encodeFrame(header: FrameHeader, payload: Uint8Array): Uint8Array {
  const { from, to, action, shard } = header;
  const { bytes: caller } = header.caller ?? anonymous;
  const texts = from.length + to.length + action.length + shard.length;
  const most = NUMBERS_MOST + 3 * texts + caller.length;
  if (scratch.length < most) scratch = new Uint8Array(most);
  scratch[0] = frameVersion;
  scratch[1] = kinds.indexOf(header.kind);
  let at = putVarint(2, header.correlationId);
  at = putText(at, from);
  at = putText(at, to);
  at = putVarint(at, header.endpoint);
  at = putText(at, action);
  at = putText(at, shard);
  at = putVarint(at, timeoutOf(header));
  at = putVarint(at, header.part ?? 0);
  at = putVarint(at, header.task ?? 0);
  at = putVarint(at, caller.length);
  for (let i = 0; i < caller.length; i += 1) scratch[at + i] = caller[i] ?? 0;
  at += caller.length;
  const frame = shortBytes(at + payload.length);
  for (let i = 0; i < at; i += 1) frame[i] = scratch[i] ?? 0;
  frame.set(payload, at);
  return frame;
}

/** A timeout that a client chose may exceed the range of varints here; it is then as good as infinite. */
function timeoutOf({ timeoutMs }: FrameHeader): number {
  return Math.min(Math.max(0, Math.ceil(timeoutMs)), Number.MAX_SAFE_INTEGER);
}

/** The buffer for headers, whose length is known only when they are written. */
let scratch = new Uint8Array(1024);

/** Upper bound of the header's numbers: version, kind, and ten varints. */
const NUMBERS_MOST = 2 + 10 * 8;

function putVarint(at: number, value: number): number {
  let next = at;
  let rest = value;
  while (rest >= 128) {
    scratch[next] = (rest % 128) | 128;
    next += 1;
    rest = Math.floor(rest / 128);
  }
  scratch[next] = rest;
  return next + 1;
}

function putText(at: number, text: string): number {
  const start = putVarint(at, text.length);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return putWideText(at, text);
    scratch[start + i] = unit;
  }
  return start + text.length;
}

function putWideText(at: number, text: string): number {
  const bytes = utf8Encode(text);
  const start = putVarint(at, bytes.length);
  scratch.set(bytes, start);
  return start + bytes.length;
}

/** The part of a header by which a frame is routed and traced. */
export type FrameLabel = Pick<FrameHeader, "kind" | "correlationId" | "action" | "shard">;

/** Reads the label alone, for nodes that pass a frame on; throws as `decodeFrame` does. */
export function readFrameLabel(bytes: Uint8Array): FrameLabel {
  const kind = readKind(bytes);
  const correlationId = readVarint(bytes);
  skipText(bytes);
  skipText(bytes);
  readVarint(bytes);
  return { kind, correlationId, action: readText(bytes), shard: readText(bytes) };
}

/** Decodes a frame. Throws `OperationError` for another version or malformed bytes. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const kind = readKind(bytes);
  const correlationId = readVarint(bytes);
  const from = readText(bytes);
  const to = readText(bytes);
  const endpoint = readSmall(bytes, ENDPOINT_MOST, "endpoint");
  const action = readText(bytes);
  const shard = readText(bytes);
  const timeoutMs = readVarint(bytes);
  const part = readSmall(bytes, PART_MOST, "part");
  const task = readVarint(bytes);
  const caller = readCallerOf(bytes);
  const payload = bytes.subarray(position);
  // oxfmt-ignore
  return { kind, correlationId, from, to, endpoint, action, shard, timeoutMs, part, task, caller, payload };
}

/** The position in the frame that is being read. */
let position = 0;

function readKind(bytes: Uint8Array): FrameKind {
  const version = bytes[0];
  if (version !== frameVersion) {
    const reason = `received message from unsupported version: [${version}] minimal compatible version is: [${frameVersion}] maximal compatible version is: [${frameVersion}]`;
    throw new OperationError({ type: "illegal_state_exception", reason, status: 500 });
  }
  const kind = kinds[bytes[1] ?? kinds.length];
  if (kind === undefined) throw invalid("unknown frame kind");
  position = 2;
  return kind;
}

function readVarint(bytes: Uint8Array): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const next = bytes[position];
    if (next === undefined) throw invalid(`read past the end, at ${position}`);
    position += 1;
    value += (next & 127) * scale;
    if (next < 128) {
      if (value > Number.MAX_SAFE_INTEGER) throw invalid("a number is too large");
      return value;
    }
    scale *= 128;
    if (scale > SCALE_MOST) throw invalid("a number is too long");
  }
}

/** The scale of a varint's eighth byte, the last one that a safe integer needs. */
const SCALE_MOST = 128 ** 7;

function readCallerOf(bytes: Uint8Array): Caller {
  const length = readSmall(bytes, callerBytesMost, "the length of a caller");
  if (length === 0) return anonymous;
  const start = position;
  if (start + length > bytes.length) throw invalid(`read past the end, at ${start}`);
  position = start + length;
  return readCaller(bytes.subarray(start, position));
}

/** A number used as a count or an id, within its limit. */
function readSmall(bytes: Uint8Array, most: number, what: string): number {
  const value = readVarint(bytes);
  if (value > most) throw invalid(`${what} [${value}] is larger than [${most}]`);
  return value;
}

/** Limit of endpoint numbers, above the number of a node's shard workers. */
const ENDPOINT_MOST = 0xffff;
/** Limit of part numbers. */
const PART_MOST = 0xffff;
/** Limit of the texts of headers, far above the length of ids and names. */
const TEXT_BYTES_MOST = 4096;

function skipText(bytes: Uint8Array): void {
  const length = readSmall(bytes, TEXT_BYTES_MOST, "the length of a text");
  if (position + length > bytes.length) throw invalid(`read past the end, at ${position}`);
  position += length;
}

/** A direct-mapped cache of decoded texts, by a hash of their bytes: headers repeat the same ids and actions. */
const cachedTexts: (CachedText | undefined)[] = Array.from({ length: 1024 });

const CACHED_BYTES_MOST = 256;

interface CachedText {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function readText(bytes: Uint8Array): string {
  const length = readSmall(bytes, TEXT_BYTES_MOST, "the length of a text");
  if (length === 0) return "";
  const start = position;
  if (start + length > bytes.length) throw invalid(`read past the end, at ${start}`);
  position = start + length;
  let hash = length;
  for (let i = start; i < position; i += 1) hash = Math.imul(hash, 31) + (bytes[i] ?? 0);
  const slot = (hash ^ (hash >>> 15)) & (cachedTexts.length - 1);
  const last = cachedTexts[slot];
  if (last !== undefined && isAt(last.bytes, bytes, start, length)) return last.text;
  const own = bytes.slice(start, position);
  const text = utf8Decode(own);
  if (text.includes("\uFFFD") && !isEncodingOf(own, text)) throw invalid("a text is no UTF-8");
  if (length <= CACHED_BYTES_MOST) cachedTexts[slot] = { bytes: own, text };
  return text;
}

/** Whether the text encodes to the same bytes: malformed UTF-8 is replaced in decoding, and so does not. */
function isEncodingOf(bytes: Uint8Array, text: string): boolean {
  return isAt(utf8Encode(text), bytes, 0, bytes.length);
}

function isAt(wanted: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (wanted.length !== length) return false;
  for (let i = 0; i < length; i += 1) if (wanted[i] !== bytes[start + i]) return false;
  return true;
}

function invalid(what: string): OperationError {
  const reason = `invalid internal transport message format: ${what}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}
