/**
 * The frame: what one `Network.send` carries. Action, sender and receiver are readable without decoding the payload.
 *
 * Layout: version byte, kind byte, then varints and length-prefixed texts in the order of `FrameHeader`, then payload.
 */
import { anonymous, callerBytesMost, readCaller, type Caller } from "./caller.ts";
import { OperationError, shortBytes, utf8Decode, utf8Encode } from "@orrery/stdx";

/** Raised when the layout of frames or messages changes in a way an older node cannot read. */
export const frameVersion = 3;

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
  /** Of the sending node: its task that this frame is of. Absent or 0: none. */
  readonly task?: number;
  /** Who asks. Absent: nobody in particular. */
  readonly caller?: Caller;
}

export interface Frame extends FrameHeader {
  readonly part: number;
  readonly task: number;
  readonly caller: Caller;
  /** A view into the frame that was read. */
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

/** What a client may ask for is longer than a number here can be: then there is no end in sight either. */
function timeoutOf({ timeoutMs }: FrameHeader): number {
  return Math.min(Math.max(0, Math.ceil(timeoutMs)), Number.MAX_SAFE_INTEGER);
}

/** Where headers are written before their length is known. */
let scratch = new Uint8Array(1024);

/** Version, kind, and ten varints. */
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

export type FrameLabel = Pick<FrameHeader, "kind" | "correlationId" | "action" | "shard">;

/** What a frame is, for those who only pass it on; throws as `decodeFrame` does. */
export function readFrameLabel(bytes: Uint8Array): FrameLabel {
  const kind = begin(bytes);
  const correlationId = takeVarint(bytes);
  skipText(bytes);
  skipText(bytes);
  takeVarint(bytes);
  return { kind, correlationId, action: takeText(bytes), shard: takeText(bytes) };
}

/** Throws `OperationError` for a frame of another version or one that is no frame. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const kind = begin(bytes);
  const correlationId = takeVarint(bytes);
  const from = takeText(bytes);
  const to = takeText(bytes);
  const endpoint = takeSmall(bytes, ENDPOINT_MOST, "endpoint");
  const action = takeText(bytes);
  const shard = takeText(bytes);
  const timeoutMs = takeVarint(bytes);
  const part = takeSmall(bytes, PART_MOST, "part");
  const task = takeVarint(bytes);
  const caller = takeCaller(bytes);
  const payload = bytes.subarray(position);
  // oxfmt-ignore
  return { kind, correlationId, from, to, endpoint, action, shard, timeoutMs, part, task, caller, payload };
}

/** Where the frame that is being read goes on. */
let position = 0;

function begin(bytes: Uint8Array): FrameKind {
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

function takeVarint(bytes: Uint8Array): number {
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

/** Of the eighth byte: a safe integer has no more. */
const SCALE_MOST = 128 ** 7;

function takeCaller(bytes: Uint8Array): Caller {
  const length = takeSmall(bytes, callerBytesMost, "the length of a caller");
  if (length === 0) return anonymous;
  const start = position;
  if (start + length > bytes.length) throw invalid(`read past the end, at ${start}`);
  position = start + length;
  return readCaller(bytes.subarray(start, position));
}

/** A number that something is counted or looked up by. */
function takeSmall(bytes: Uint8Array, most: number, what: string): number {
  const value = takeVarint(bytes);
  if (value > most) throw invalid(`${what} [${value}] is larger than [${most}]`);
  return value;
}

/** No node has more shard workers. */
const ENDPOINT_MOST = 0xffff;
/** No payload has more parts. */
const PART_MOST = 0xffff;
/** Ids and names are far shorter. */
const TEXT_BYTES_MOST = 4096;

function skipText(bytes: Uint8Array): void {
  const length = takeSmall(bytes, TEXT_BYTES_MOST, "the length of a text");
  if (position + length > bytes.length) throw invalid(`read past the end, at ${position}`);
  position += length;
}

/** The texts of headers come again and again: those that came last are remembered, by their bytes. */
const remembered: (Remembered | undefined)[] = Array.from({ length: 1024 });

const REMEMBERED_BYTES_MOST = 256;

interface Remembered {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function takeText(bytes: Uint8Array): string {
  const length = takeSmall(bytes, TEXT_BYTES_MOST, "the length of a text");
  if (length === 0) return "";
  const start = position;
  if (start + length > bytes.length) throw invalid(`read past the end, at ${start}`);
  position = start + length;
  let hash = length;
  for (let i = start; i < position; i += 1) hash = Math.imul(hash, 31) + (bytes[i] ?? 0);
  const slot = (hash ^ (hash >>> 15)) & (remembered.length - 1);
  const last = remembered[slot];
  if (last !== undefined && isAt(last.bytes, bytes, start, length)) return last.text;
  const own = bytes.slice(start, position);
  const text = utf8Decode(own);
  if (text.includes("\uFFFD") && !isEncodingOf(own, text)) throw invalid("a text is no UTF-8");
  if (length <= REMEMBERED_BYTES_MOST) remembered[slot] = { bytes: own, text };
  return text;
}

/** What cannot be decoded was replaced, and is something else when it is encoded again. */
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
