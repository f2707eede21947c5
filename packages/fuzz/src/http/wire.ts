/** How a request's bytes are wrong below HTTP's meaning: framing, heads, encodings, connections. */
import { gzipSync } from "node:zlib";
import type { Random } from "@orrery/stdx";
import type { Sent } from "./exchange.ts";
import { bytesOf, wireUri, type HttpCase } from "./request.ts";

export type WireKind =
  | "http-1.0"
  | "no-host"
  | "bare-line-feeds"
  | "header-flood"
  | "long-header"
  | "long-line"
  | "bad-version"
  | "chunked"
  | "chunked-broken"
  | "chunked-and-length"
  | "two-lengths"
  | "length-too-large"
  | "length-too-small"
  | "length-negative"
  | "pipelined"
  | "half-closed"
  | "aborted"
  | "expect-continue"
  | "upgrade"
  | "gzip-bomb"
  | "garbage"
  | "nul-in-head"
  | "spaces"
  | "folded-header"
  | "no-method"
  | "absolute-uri"
  | "http-2-preface"
  | "trailers";

const kinds: readonly WireKind[] = [
  "http-1.0",
  "no-host",
  "bare-line-feeds",
  "header-flood",
  "long-header",
  "long-line",
  "bad-version",
  "chunked",
  "chunked-broken",
  "chunked-and-length",
  "two-lengths",
  "length-too-large",
  "length-too-small",
  "length-negative",
  "pipelined",
  "half-closed",
  "aborted",
  "expect-continue",
  "upgrade",
  "gzip-bomb",
  "garbage",
  "nul-in-head",
  "spaces",
  "folded-header",
  "no-method",
  "absolute-uri",
  "http-2-preface",
  "trailers",
];

/** What a request is sent as; without it: as it should be. */
export interface Wire {
  readonly kind: WireKind;
  readonly count: number;
}

export function drawWire(random: Random): Wire {
  return { kind: random.pick(kinds), count: random.pick([1, 2, 10, 100, 1000]) };
}

/** Bytes that inflate to a thousand times as many. */
const BOMB_BYTES = 64 * 1024 * 1024;
let bomb: Buffer | undefined;

type Bytes = Pick<Sent, "bytes" | "afterwards">;

export function writeRequest(
  given: HttpCase,
  known: ReadonlyMap<string, string>,
  wire?: Wire,
): Bytes {
  const body = Buffer.from(bytesOf(given.body, known));
  const uri = wireUri(given, known);
  const headers = Object.entries(given.headers).map(
    ([name, value]) => `${name}: ${oneLine(value)}`,
  );
  const host = "host: 127.0.0.1";
  const length = `content-length: ${body.length}`;
  const { kind, count = 1 } = wire ?? {};
  const message = (
    lines: readonly string[],
    content: Uint8Array = body,
    first = `${given.method} ${oneLine(uri)} HTTP/1.1`,
  ): Buffer =>
    Buffer.concat([Buffer.from(`${[first, ...lines].join("\r\n")}\r\n\r\n`, "latin1"), content]);
  const usual = [host, ...headers, length];
  const sent = (bytes: Uint8Array, afterwards: Sent["afterwards"] = "wait"): Bytes => ({
    bytes,
    afterwards,
  });
  switch (kind) {
    case undefined:
      return sent(message([...usual, "connection: close"]));
    case "http-1.0":
      return sent(message(usual, body, `${given.method} ${oneLine(uri)} HTTP/1.0`));
    case "no-host":
      return sent(message([...headers, length]));
    case "bare-line-feeds":
      return sent(
        Buffer.from(message(usual).toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
        "half-close",
      );
    case "header-flood":
      return sent(message([...usual, ...Array.from({ length: count }, (_, i) => `x-${i}: ${i}`)]));
    case "long-header":
      return sent(message([...usual, `x-long: ${"a".repeat(count * 100)}`]));
    case "long-line":
      return sent(
        message(
          usual,
          body,
          `${given.method} ${oneLine(uri)}${uri.includes("?") ? "&" : "?"}x=${"a".repeat(count * 100)} HTTP/1.1`,
        ),
      );
    case "bad-version":
      return sent(message(usual, body, `${given.method} ${oneLine(uri)} HTTP/9.9`), "half-close");
    case "chunked":
      return sent(message([host, ...headers, "transfer-encoding: chunked"], chunked(body, count)));
    case "chunked-broken":
      return sent(
        message(
          [host, ...headers, "transfer-encoding: chunked"],
          Buffer.from("zz\r\nabc\r\n0\r\n\r\n"),
        ),
        "half-close",
      );
    case "chunked-and-length":
      return sent(
        message([...usual, "transfer-encoding: chunked"], chunked(body, count)),
        "half-close",
      );
    case "two-lengths":
      return sent(message([...usual, `content-length: ${body.length + 1}`]), "half-close");
    case "length-too-large":
      return sent(
        message([host, ...headers, `content-length: ${body.length + count}`]),
        "half-close",
      );
    case "length-too-small":
      return sent(
        message([host, ...headers, `content-length: ${Math.max(0, body.length - count)}`]),
        "half-close",
      );
    case "length-negative":
      return sent(message([host, ...headers, "content-length: -1"]), "half-close");
    case "pipelined": {
      const one = message(usual);
      const times = Math.min(count, Math.ceil(500_000 / one.length));
      return sent(Buffer.concat(Array.from({ length: times }, () => one)), "half-close");
    }
    case "half-closed":
      return sent(message(usual), "half-close");
    case "aborted":
      return sent(message(usual), "abort");
    case "expect-continue":
      return sent(message([...usual, "expect: 100-continue"]));
    case "upgrade":
      return sent(message([...usual, "connection: upgrade", "upgrade: h2c"]), "half-close");
    case "gzip-bomb": {
      bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, " "), { level: 9 });
      return sent(
        message(
          [
            host,
            "content-type: application/json",
            "content-encoding: gzip",
            `content-length: ${bomb.length}`,
          ],
          bomb,
          "POST /books/_search HTTP/1.1",
        ),
      );
    }
    case "garbage":
      return sent(
        Buffer.concat([body.subarray(0, 1000), Buffer.alloc(count, 0x80 + (count % 100))]),
        "half-close",
      );
    case "nul-in-head":
      return sent(message([...usual, "x-nul: a\u0000b"]), "half-close");
    case "spaces":
      return sent(
        message(usual, body, `${given.method}  ${oneLine(uri)}   HTTP/1.1`),
        "half-close",
      );
    case "folded-header":
      return sent(message([...usual, "x-fold: a\r\n b"]), "half-close");
    case "no-method":
      return sent(message(usual, body, ` ${oneLine(uri)} HTTP/1.1`), "half-close");
    case "absolute-uri":
      return sent(
        message(usual, body, `${given.method} http://elsewhere.example${oneLine(uri)} HTTP/1.1`),
        "half-close",
      );
    case "http-2-preface":
      return sent(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "half-close");
    case "trailers":
      return sent(
        message(
          [host, ...headers, "transfer-encoding: chunked", "trailer: x"],
          Buffer.from("0\r\nx: __proto__\r\n\r\n"),
        ),
        "half-close",
      );
  }
}

function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  const step = Math.max(size, Math.ceil(body.length / 10_000), 1);
  for (let at = 0; at < body.length; at += step) {
    const part = body.subarray(at, at + step);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** A head is lines: what would end one early is for the kinds above. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, " ");
}
