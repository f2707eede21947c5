/**
 * One request over a socket of its own, byte for byte as a case says, and the answer, if there is one. No client library
 * would send what is sent here.
 */
import net from "node:net";
import { gunzipSync } from "node:zlib";

export interface Sent {
  readonly port: number;
  readonly bytes: Uint8Array;
  /** What the client does when it has sent all. */
  readonly afterwards: "wait" | "half-close" | "abort";
  readonly timeoutMs: number;
  readonly isHead: boolean;
  /** Of the time since then, what the machine kept from those who were to answer: it does not count. Absent: none. */
  readonly delaySince?: (ms: number) => number;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `closed`: the connection ended without an answer; `silent`: nothing came in time; `garbage`: something came that is no HTTP. */
export type ExchangeEnd = Received | "closed" | "silent" | "garbage";

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
      // Bytes that have arrived by now are read first.
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

/** The first answer that is whole; `undefined`: not yet. */
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
  // An interim answer: the real one follows.
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
  // The length is that of what was sent: both are judged as one.
  if (headers["content-encoding"] !== "gzip") return body;
  delete (headers as Record<string, string>)["content-length"];
  return gunzipSync(body);
}
