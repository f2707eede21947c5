/**
 * Exchange of one request over its own socket, byte for byte, and of the response, if any. HTTP client libraries refuse
 * to send such requests.
 */
import net from "node:net";
import { gunzipSync } from "node:zlib";

export interface Sent {
  readonly port: number;
  readonly bytes: Uint8Array;
  /** Action of the client after the last byte. */
  readonly afterwards: "wait" | "half-close" | "abort";
  readonly timeoutMs: number;
  readonly isHead: boolean;
  /**
   * Time within the given span during which the machine kept the responding threads from running, which does not count;
   * `undefined`: none.
   */
  readonly delaySince?: (ms: number) => number;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * `closed`: the connection ended without a response; `silent`: no response in time; `garbage`: the response is no HTTP.
 */
export type ExchangeEnd = Received | "closed" | "silent" | "garbage";

/** Sends the bytes on a new socket and waits for the response. */
export function exchange({
  port,
  bytes,
  afterwards,
  timeoutMs,
  isHead,
  delaySince,
}: Sent): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    let isOver = false;
    const end = (what: ExchangeEnd): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(what);
    };
    const startedMs = performance.now();
    const onTime = (): void => {
      const leftMs = timeoutMs - (performance.now() - startedMs) + (delaySince?.(startedMs) ?? 0);
      // Bytes that have already arrived are read before the time-out counts.
      if (leftMs < 1) setImmediate(() => setImmediate(() => end("silent")));
      else timer = setTimeout(onTime, leftMs);
    };
    let timer = setTimeout(onTime, timeoutMs);
    const atEnd = (): void =>
      end(chunks.length === 0 ? "closed" : (read(chunks, isHead, true) ?? "garbage"));
    socket.on("error", atEnd);
    socket.on("close", atEnd);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const answer = read(chunks, isHead, false);
      if (answer !== undefined) end(answer);
    });
    socket.on("connect", () => {
      socket.write(bytes, () => {
        if (afterwards === "abort") end("closed");
        else if (afterwards === "half-close") socket.end();
      });
    });
  });
}

/** First complete response; `undefined` if it is incomplete. */
function read(
  chunks: readonly Buffer[],
  isHead: boolean,
  isEnd: boolean,
): Received | "garbage" | undefined {
  const all = Buffer.concat(chunks);
  const headEnd = all.indexOf("\r\n\r\n");
  if (headEnd < 0) return isEnd ? "garbage" : undefined;
  const [first = "", ...lines] = all.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!Number.isInteger(status)) return "garbage";
  // An interim (1xx) response precedes the final one.
  if (status < 200) return read([all.subarray(headEnd + 4)], isHead, isEnd);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const rest = all.subarray(headEnd + 4);
  if (isHead) return { status, headers, body: new Uint8Array() };
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (Number.isInteger(length)) {
    if (rest.length < length && !isEnd) return undefined;
    return { status, headers, body: unpacked(headers, rest.subarray(0, length)) };
  }
  return isEnd ? { status, headers, body: rest } : undefined;
}

function unpacked(headers: Readonly<Record<string, string>>, body: Buffer): Uint8Array {
  // `content-length` counts the compressed bytes, so it is removed together with the compression.
  if (headers["content-encoding"] !== "gzip") return body;
  delete (headers as Record<string, string>)["content-length"];
  return gunzipSync(body);
}
