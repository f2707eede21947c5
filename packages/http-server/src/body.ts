/** Request bodies: received, decompressed and counted, and rejected as soon as they exceed a limit. */
import type { IncomingMessage } from "node:http";
import { setImmediate as otherWork } from "node:timers/promises";
import { createGunzip, createInflate } from "node:zlib";
import { OperationError } from "@orrery/stdx";
import type { HeldBytes } from "./held-bytes.ts";
import { isLarge, type LargeBodies, type Leave } from "./large-bodies.ts";
import type { Exchange } from "./stalls.ts";

export const emptyBody: Uint8Array = new Uint8Array(0);

/** Limits of request bodies, shared by all connections of a server. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly held: HeldBytes;
  readonly largeBodies: LargeBodies;
}

/** Body of a request, decompressed. */
export interface ReadBody {
  readonly body: Uint8Array;
  /**
   * Function that releases the slot of a large body, called when the body has been processed; `undefined` for a small
   * one.
   */
  readonly leave: Leave | undefined;
}

/** True if the request head announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

/**
 * Reads and decompresses the body. Rejects with `OperationError`: 413 if it exceeds `maxBytes`, compressed or not; 429
 * if requests and responses hold too many bytes; 400 if it cannot be decompressed; or with `ClientGone` if the client
 * disconnects. The exchange counts the held bytes and gives them back when it ends.
 *
 * After a rejection the rest of the body is read and dropped, so that the client can read the response.
 */
export async function readBody(exchange: Exchange, limits: BodyLimits): Promise<ReadBody> {
  const { request } = exchange;
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.maxBytes) {
    request.resume();
    throw tooLarge();
  }
  exchange.isReceiving = true;
  const body = await collect(exchange, limits).finally(() => {
    exchange.isReceiving = false;
  });
  if (body.length === 0) return { body: emptyBody, leave: undefined };
  const packing = packingOf(request);
  if (packing !== undefined) return unpack(exchange, { body, packing }, limits);
  if (!isLarge(body.length)) return { body, leave: undefined };
  return { body, leave: await enter(exchange, limits.largeBodies, body.length) };
}

/** The client has closed the connection: the request needs no response, and the error is not logged. */
export class ClientGone extends Error {}

/**
 * Waits for a slot; throws `ClientGone` if the client has disconnected meanwhile, so that its body is not processed.
 */
async function enter(
  { response }: Exchange,
  largeBodies: LargeBodies,
  bytes: number,
): Promise<Leave | undefined> {
  const leave = await largeBodies.enter(bytes);
  if (leave === undefined || !response.destroyed) return leave;
  leave();
  throw new ClientGone();
}

/** Counts bytes before they are allocated; throws if they exceed the limit. */
function hold(exchange: Exchange, held: HeldBytes, bytes: number): void {
  held.take(bytes);
  exchange.heldBytes += bytes;
}

/** Bytes copied at a time: a larger copy would delay other work of the thread. */
const SLICE_BYTES = 1024 * 1024;

function collect(exchange: Exchange, { maxBytes, held }: BodyLimits): Promise<Buffer> {
  const { request } = exchange;
  const announced = Number(request.headers["content-length"] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    // Chunks are copied as they arrive: concatenating a large body at its end would block the thread.
    let whole: Buffer | undefined;
    let isRefused = false;
    const refuse = (why: unknown): void => {
      isRefused = true;
      chunks.length = 0;
      whole = undefined;
      reject(why);
    };
    const taken = (bytes: number): void => {
      try {
        hold(exchange, held, bytes);
      } catch (error) {
        refuse(error);
      }
    };
    if (announced > 0) taken(announced);
    if (announced > SLICE_BYTES && !isRefused) whole = Buffer.allocUnsafeSlow(announced);
    request.on("data", (chunk: Buffer) => {
      const at = exchange.receivedBytes;
      exchange.receivedBytes += chunk.length;
      if (isRefused) return;
      if (exchange.receivedBytes > maxBytes) refuse(tooLarge());
      else if (announced === 0) taken(chunk.length);
      if (isRefused) return;
      if (whole === undefined) chunks.push(chunk);
      else whole.set(chunk, at);
    });
    request.on("end", () => resolve(whole ?? joined(chunks, exchange.receivedBytes)));
    request.on("error", () => reject(new ClientGone()));
    request.on("aborted", () => reject(new ClientGone()));
  });
}

/** Concatenation of the chunks; a large body is copied in slices with other work in between. */
function joined(chunks: readonly Buffer[], bytes: number): Buffer | Promise<Buffer> {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  return bytes <= SLICE_BYTES ? Buffer.concat(chunks) : joinedInSlices(chunks, bytes);
}

async function joinedInSlices(chunks: readonly Buffer[], bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  let nextRest = SLICE_BYTES;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    if (at < nextRest) continue;
    nextRest = at + SLICE_BYTES;
    await otherWork();
  }
  return whole;
}

interface Packing {
  readonly start: typeof createGunzip;
  /** Estimated decompressed size. */
  readonly sizeOf: (packed: Buffer) => number;
}

/** A gzip member ends with its decompressed size modulo 2^32; of several members only the last is read. */
const gzipped: Packing = {
  start: createGunzip,
  sizeOf: (packed) => (packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4)),
};

const packings: ReadonlyMap<string, Packing> = new Map([
  ["gzip", gzipped],
  ["x-gzip", gzipped],
  ["deflate", { start: createInflate, sizeOf: ({ length }) => length * 16 }],
]);

function packingOf({ headers }: IncomingMessage): Packing | undefined {
  const encoding = headers["content-encoding"];
  return encoding === undefined ? undefined : packings.get(encoding.toLowerCase());
}

interface Packed {
  readonly body: Buffer;
  readonly packing: Packing;
}

/**
 * Decompresses into a buffer of the announced size; if that is too small, once more into one of the largest allowed
 * size.
 */
async function unpack(
  exchange: Exchange,
  { body, packing }: Packed,
  limits: BodyLimits,
): Promise<ReadBody> {
  const { maxBytes } = limits;
  const said = Math.min(maxBytes, Math.max(body.length, packing.sizeOf(body)));
  const first = await unpackInto(exchange, { body, packing }, { ...limits, maxBytes: said });
  if (first !== undefined) return first;
  const second = said < maxBytes ? await unpackInto(exchange, { body, packing }, limits) : first;
  if (second === undefined) throw tooLarge();
  return second;
}

/** `undefined` if the decompressed body exceeds `maxBytes`. */
async function unpackInto(
  exchange: Exchange,
  { body, packing }: Packed,
  { maxBytes, held, largeBodies }: BodyLimits,
): Promise<ReadBody | undefined> {
  const leave = await enter(exchange, largeBodies, maxBytes);
  try {
    hold(exchange, held, maxBytes);
    const unpacked = await unpackSlices(packing.start, body, maxBytes);
    if (unpacked !== undefined) return { body: unpacked, leave };
    leave?.();
    held.give(maxBytes);
    exchange.heldBytes -= maxBytes;
    return undefined;
  } catch (error) {
    leave?.();
    if (error instanceof OperationError) throw error;
    const reason = `failed to decompress the request body: ${(error as Error).message}`;
    throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
  }
}

/** Decompresses in zlib's thread pool, slice by slice; `undefined` if the result exceeds `maxBytes`. */
async function unpackSlices(
  start: typeof createGunzip,
  packed: Buffer,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunkSize = Math.min(SLICE_BYTES, Math.max(1024, maxBytes));
  const unpacking = start({ chunkSize });
  unpacking.end(packed);
  const whole = Buffer.allocUnsafeSlow(maxBytes);
  let at = 0;
  for await (const slice of unpacking as AsyncIterable<Buffer>) {
    if (at + slice.length > maxBytes) return undefined;
    whole.set(slice, at);
    at += slice.length;
  }
  return whole.subarray(0, at);
}

function tooLarge(): OperationError {
  return new OperationError({ type: "exception", reason: "Request Entity Too Large", status: 413 });
}
