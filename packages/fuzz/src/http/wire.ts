/** Damage to a request's bytes below HTTP semantics: framing, heads, encodings, connections. */
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

/** Damage of the request's bytes. */
export interface Wire {
  readonly kind: WireKind;
  readonly count: number;
}

export function drawWire(random: Random): Wire {
  return { kind: random.pick(kinds), count: random.pick([1, 2, 10, 100, 1000]) };
}

/** Decompressed size of a gzip bomb, about a thousand times its compressed size. */
const BOMB_BYTES = 64 * 1024 * 1024;
let bomb: Buffer | undefined;

type Bytes = Pick<Sent, "bytes" | "afterwards">;

/** Parsed request, which a writer assembles wrongly. */
interface Parts {
  readonly method: string;
  readonly uri: string;
  readonly headers: readonly string[];
  readonly length: string;
  readonly body: Buffer;
  /** Number or amount of the damage. */
  readonly count: number;
}

const host = "host: 127.0.0.1";

/** Writers in the order in which they are drawn. */
const writers: { readonly [Kind in WireKind]: (parts: Parts) => Bytes } = {
  "http-1.0": (parts) => waits(message(parts, usual(parts), firstLine(parts, "HTTP/1.0"))),
  "no-host": (parts) => waits(message(parts, [...parts.headers, parts.length])),
  "bare-line-feeds": (parts) => {
    const text = message(parts, usual(parts)).toString("latin1");
    return halfCloses(Buffer.from(text.replaceAll("\r\n", "\n"), "latin1"));
  },
  "header-flood": (parts) => {
    const flood = Array.from({ length: parts.count }, (_, i) => `x-${i}: ${i}`);
    return waits(message(parts, [...usual(parts), ...flood]));
  },
  "long-header": (parts) =>
    waits(message(parts, [...usual(parts), `x-long: ${"a".repeat(parts.count * 100)}`])),
  "long-line": (parts) => {
    const { uri, count } = parts;
    const long = `${uri}${uri.includes("?") ? "&" : "?"}x=${"a".repeat(count * 100)}`;
    return waits(message(parts, usual(parts), firstLine({ ...parts, uri: long }, "HTTP/1.1")));
  },
  "bad-version": (parts) => halfCloses(message(parts, usual(parts), firstLine(parts, "HTTP/9.9"))),
  chunked: (parts) => waits(message(inChunks(parts), [...unsized(parts), CHUNKED])),
  "chunked-broken": (parts) =>
    halfCloses(
      message({ ...parts, body: Buffer.from("zz\r\nabc\r\n0\r\n\r\n") }, [
        ...unsized(parts),
        CHUNKED,
      ]),
    ),
  "chunked-and-length": (parts) => halfCloses(message(inChunks(parts), [...usual(parts), CHUNKED])),
  "two-lengths": (parts) => halfCloses(message(parts, [...usual(parts), lengthOf(parts, 1)])),
  "length-too-large": (parts) =>
    halfCloses(message(parts, [...unsized(parts), lengthOf(parts, parts.count)])),
  "length-too-small": (parts) =>
    halfCloses(message(parts, [...unsized(parts), lengthOf(parts, -parts.count)])),
  "length-negative": (parts) =>
    halfCloses(message(parts, [...unsized(parts), "content-length: -1"])),
  pipelined: (parts) => {
    const one = message(parts, usual(parts));
    const times = Math.min(parts.count, Math.ceil(500_000 / one.length));
    return halfCloses(Buffer.concat(Array.from({ length: times }, () => one)));
  },
  "half-closed": (parts) => halfCloses(message(parts, usual(parts))),
  aborted: (parts) => ({ bytes: message(parts, usual(parts)), afterwards: "abort" }),
  "expect-continue": (parts) => waits(message(parts, [...usual(parts), "expect: 100-continue"])),
  upgrade: (parts) =>
    halfCloses(message(parts, [...usual(parts), "connection: upgrade", "upgrade: h2c"])),
  "gzip-bomb": (parts) => waits(gzipBomb(parts)),
  garbage: ({ body, count }) =>
    halfCloses(Buffer.concat([body.subarray(0, 1000), Buffer.alloc(count, 0x80 + (count % 100))])),
  "nul-in-head": (parts) => halfCloses(message(parts, [...usual(parts), "x-nul: a\u0000b"])),
  spaces: (parts) => {
    const { method, uri } = parts;
    return halfCloses(message(parts, usual(parts), `${method}  ${uri}   HTTP/1.1`));
  },
  "folded-header": (parts) => halfCloses(message(parts, [...usual(parts), "x-fold: a\r\n b"])),
  "no-method": (parts) =>
    halfCloses(message(parts, usual(parts), firstLine({ ...parts, method: "" }, "HTTP/1.1"))),
  "absolute-uri": (parts) => {
    const uri = `http://elsewhere.example${parts.uri}`;
    return halfCloses(message(parts, usual(parts), firstLine({ ...parts, uri }, "HTTP/1.1")));
  },
  "http-2-preface": () => halfCloses(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")),
  trailers: (parts) =>
    halfCloses(
      message({ ...parts, body: Buffer.from("0\r\nx: __proto__\r\n\r\n") }, [
        ...unsized(parts),
        CHUNKED,
        "trailer: x",
      ]),
    ),
};

const kinds = Object.keys(writers) as readonly WireKind[];

const CHUNKED = "transfer-encoding: chunked";

export function writeRequest(
  given: HttpCase,
  known: ReadonlyMap<string, string>,
  wire?: Wire,
): Bytes {
  const body = Buffer.from(bytesOf(given.body, known));
  const parts: Parts = {
    method: given.method,
    uri: oneLine(wireUri(given, known)),
    headers: Object.entries(given.headers).map(([name, value]) => `${name}: ${oneLine(value)}`),
    length: `content-length: ${body.length}`,
    body,
    count: wire?.count ?? 1,
  };
  if (wire === undefined) return waits(message(parts, [...usual(parts), "connection: close"]));
  return writers[wire.kind](parts);
}

function message(
  parts: Parts,
  lines: readonly string[],
  first: string = firstLine(parts, "HTTP/1.1"),
): Buffer {
  const head = Buffer.from(`${[first, ...lines].join("\r\n")}\r\n\r\n`, "latin1");
  return Buffer.concat([head, parts.body]);
}

function firstLine({ method, uri }: Pick<Parts, "method" | "uri">, version: string): string {
  return `${method} ${uri} ${version}`;
}

function usual(parts: Parts): readonly string[] {
  return [...unsized(parts), parts.length];
}

function unsized({ headers }: Parts): readonly string[] {
  return [host, ...headers];
}

/** Content length of a body plus or minus a number of bytes. */
function lengthOf({ body }: Parts, more: number): string {
  return `content-length: ${Math.max(0, body.length + more)}`;
}

function waits(bytes: Uint8Array): Bytes {
  return { bytes, afterwards: "wait" };
}

function halfCloses(bytes: Uint8Array): Bytes {
  return { bytes, afterwards: "half-close" };
}

function inChunks(parts: Parts): Parts {
  return { ...parts, body: chunked(parts.body, parts.count) };
}

function gzipBomb(parts: Parts): Buffer {
  bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, " "), { level: 9 });
  return message(
    { ...parts, body: bomb },
    [
      host,
      "content-type: application/json",
      "content-encoding: gzip",
      `content-length: ${bomb.length}`,
    ],
    "POST /books/_search HTTP/1.1",
  );
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

/** Header line without line breaks: malformed heads are the subject of the kinds above. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, " ");
}
