/** Request bodies: collected as they come, unpacked, counted, and refused as soon as they are too large. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
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

function collect(exchange: Exchange, { maxBytes, held }: BodyLimits): Promise<Buffer> {
  const { request } = exchange;
  const announced = Number(request.headers["content-length"] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let isRefused = false;
    const refuse = (why: unknown): void => {
      isRefused = true;
      chunks.length = 0;
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
    request.on("data", (chunk: Buffer) => {
      exchange.receivedBytes += chunk.length;
      if (isRefused) return;
      if (exchange.receivedBytes > maxBytes) refuse(tooLarge());
      else if (announced === 0) taken(chunk.length);
      if (!isRefused) chunks.push(chunk);
    });
    request.on("end", () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on("error", () => reject(new ClientGone()));
    request.on("aborted", () => reject(new ClientGone()));
  });
}

interface Packing {
  readonly unpack: typeof gunzip;
  /** How many bytes there probably are in it. */
  readonly sizeOf: (packed: Buffer) => number;
}

/** The last four bytes say it, modulo 2^32, of the last part. */
const gzipped: Packing = {
  unpack: gunzip,
  sizeOf: (packed) => (packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4)),
};

const packings: ReadonlyMap<string, Packing> = new Map([
  ["gzip", gzipped],
  ["x-gzip", gzipped],
  ["deflate", { unpack: inflate, sizeOf: ({ length }) => length * 16 }],
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
    const unpacked = await promisify(packing.unpack)(body, { maxOutputLength: maxBytes });
    return { body: unpacked, leave };
  } catch (error) {
    leave?.();
    if (error instanceof OperationError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      held.give(maxBytes);
      exchange.heldBytes -= maxBytes;
      return undefined;
    }
    const reason = `failed to decompress the request body: ${(error as Error).message}`;
    throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
  }
}

function tooLarge(): OperationError {
  return new OperationError({ type: "exception", reason: "Request Entity Too Large", status: 413 });
}
