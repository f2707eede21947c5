/** Request bodies: collected as they come, unpacked, and refused as soon as they are too large. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { OperationError } from "@orrery/stdx";

export const emptyBody: Uint8Array = new Uint8Array(0);

/** Whether the head says that a body follows it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

/**
 * Rejects with `OperationError`: 413 when there are more than `maxBytes`, packed or unpacked; 400 when unpacking fails.
 *
 * What follows after a refusal is read and dropped, so that the client gets to read the answer.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) {
    request.resume();
    throw tooLarge();
  }
  const body = await collect(request, maxBytes);
  return body.length === 0
    ? emptyBody
    : unpack(body, request.headers["content-encoding"], maxBytes);
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
      } else {
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    request.on("end", () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    });
    request.on("error", reject);
    request.on("aborted", () => reject(new Error("the client went away")));
  });
}

const unpackers: ReadonlyMap<string, typeof gunzip> = new Map([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
]);

async function unpack(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const unpacker = unpackers.get((encoding ?? "").toLowerCase());
  if (unpacker === undefined) return body;
  try {
    return await promisify(unpacker)(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    const reason = `failed to decompress the request body: ${(error as Error).message}`;
    throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
  }
}

function tooLarge(): OperationError {
  return new OperationError({ type: "exception", reason: "Request Entity Too Large", status: 413 });
}
