/** Request bodies: collected as they come, unpacked, counted, and refused as soon as they are too large. */
import type { IncomingMessage } from "node:http";
import { setImmediate as otherWork } from "node:timers/promises";
import { createGunzip, createInflate } from "node:zlib";
import { OperationError } from "@orrery/stdx";
import type { HeldBytes } from "./held-bytes.ts";
import { isLarge, type LargeBodies, type Leave } from "./large-bodies.ts";
import type { Exchange } from "./stalls.ts";

export const emptyBody: Uint8Array = new Uint8Array(0);

export interface BodyLimits {
  readonly maxBytes: number;
  readonly held: HeldBytes;
  readonly largeBodies: LargeBodies;
}

export interface ReadBody {
  readonly body: Uint8Array;
  /** Of a large one: to be called when it is done with. */
  readonly leave: Leave | undefined;
}

/** Whether the head says that a body follows it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

/**
 * Rejects with `OperationError`: 413 when there are more than `maxBytes`, packed or unpacked; 429 when too many bytes are held; 400
 * when unpacking fails. What is held is noted in the exchange, whose end gives it back.
 *
 * What follows after a refusal is read and dropped, so that the client gets to read the answer.
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

/** A request broke off: nobody is left to be answered, and nothing went wrong here. */
export class ClientGone extends Error {}

/** Whoever left while it waited is not served. */
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

/** Bytes that are to be there: refused before they are. */
function hold(exchange: Exchange, held: HeldBytes, bytes: number): void {
  held.take(bytes);
  exchange.heldBytes += bytes;
}

/** More at a time keeps other work waiting. */
const SLICE_BYTES = 1024 * 1024;

function collect(exchange: Exchange, { maxBytes, held }: BodyLimits): Promise<Buffer> {
  const { request } = exchange;
  const announced = Number(request.headers["content-length"] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    // Filled as it comes: to join a large body at its end would keep all others waiting.
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

/** In slices when it is large, between which the node does other things. */
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
  /** How many bytes there probably are in it. */
  readonly sizeOf: (packed: Buffer) => number;
}

/** The last four bytes say it, modulo 2^32, of the last part. */
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

/** With room for as much as it says is in it; when that is not true, once more with room for the most there may be. */
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

/** `undefined`: there are more bytes in it. */
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

/** Unpacked by another thread, each slice put in its place as it comes; `undefined`: there are more than so many bytes. */
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
