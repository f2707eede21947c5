/** Bytes that are invalid below frames: damaged HTTP/2 and WebSocket, each kind in the form of its transport. */
import type { ChannelClass } from "@orrery/ports";
import type { RawKind } from "./case.ts";

export interface RawOptions {
  readonly kind: RawKind;
  readonly count: number;
  readonly channel: ChannelClass;
  /** Frames of the case, concatenated. */
  readonly content: Buffer;
}

const httpOne = Buffer.from("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");

/** Bytes that are common to both transports; `undefined` for kinds that each has its own form of. */
function anyTransport({ kind, count, content }: RawOptions): Buffer | undefined {
  switch (kind) {
    case "noise":
      return content;
    case "http-1":
      return Buffer.concat(Array.from({ length: count }, () => httpOne));
    case "idle":
    case "many":
      return Buffer.alloc(0);
    default:
      return undefined;
  }
}

// ------------------------------------------------------------------------------------------ HTTP/2

const DATA = 0;
const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END_HEADERS = 4;

interface Piece {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Uint8Array;
  /** Value of a length field, and its offset. */
  readonly length?: number;
}

function http2({ type, flags = 0, stream = 0, payload = new Uint8Array(), length }: Piece): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const opening = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  http2({ type: SETTINGS }),
]);

/** Header block with literal headers, neither indexed nor compressed, of up to 126 bytes each. */
function headerBlock(headers: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(
    headers.map(([name, value]) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]),
    ),
  );
}

function callHeaders(channel: string, changed: Readonly<Record<string, string>> = {}): Buffer {
  const headers = {
    ...{ ":method": "POST", ":scheme": "http", ":authority": "127.0.0.1" },
    ...{ ":path": "/orrery.transport.Transport/Connect", "content-type": "application/grpc" },
    ...{ te: "trailers", channel },
    ...changed,
  };
  return headerBlock(Object.entries(headers));
}

function message(content: Buffer, length = content.length, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, content]);
}

const many = (count: number, piece: (i: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => piece(i)));
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export function grpcBytes(options: RawOptions): Buffer {
  const { kind, count, channel, content } = options;
  const short = content.subarray(0, 16_000);
  const call = (block = callHeaders(channel), stream = 1): Buffer =>
    http2({ type: HEADERS, flags: END_HEADERS, stream, payload: block });
  const say = (payload: Buffer): Buffer => http2({ type: DATA, stream: 1, payload });
  const then = (...pieces: readonly Buffer[]): Buffer => Buffer.concat([opening, ...pieces]);
  switch (kind) {
    case "unfinished":
      return then(call(), say(message(short, [2 ** 32 - 1, 16_000_000, 100_000][count % 3])));
    case "head-flood": {
      const part = headerBlock(Array.from({ length: 100 }, (_, i) => [`x-${i}`, "y".repeat(99)]));
      const first = http2({ type: HEADERS, stream: 1, payload: callHeaders(channel) });
      return then(
        first,
        many(count * 4, () => http2({ type: CONTINUATION, stream: 1, payload: part })),
      );
    }
    case "bad-lengths":
      return then(
        call(),
        [
          http2({ type: DATA, stream: 1, payload: short, length: 2 ** 24 - 1 }),
          http2({ type: PING, payload: Buffer.alloc(count % 8) }),
          http2({ type: SETTINGS, payload: Buffer.alloc(count) }),
          http2({ type: WINDOW_UPDATE, stream: 1, payload: number(0) }),
          http2({ type: WINDOW_UPDATE, payload: number(2 ** 31 - 1) }),
          say(message(short, short.length, 1)),
          say(message(short, 0)),
        ][count % 7] ?? short,
      );
    case "bad-kinds":
      return then(
        many(count, (i) =>
          http2({ type: (i * 7 + count) % 256, flags: i % 256, stream: i % 5, payload: short }),
        ),
      );
    case "control-flood":
      return then(
        many(count * 20, (i) => {
          if (count % 4 === 0) return http2({ type: PING, payload: Buffer.alloc(8) });
          if (count % 4 === 1) return http2({ type: SETTINGS });
          if (count % 4 === 2)
            return http2({ type: PRIORITY, stream: 1, payload: Buffer.alloc(5) });
          const stream = 2 * i + 1;
          const reset = http2({ type: RST_STREAM, stream, payload: number(8) });
          return Buffer.concat([call(callHeaders(channel), stream), reset]);
        }),
      );
    case "fragments":
      return then(
        call(),
        many(Math.min(count * 4, short.length), (i) => say(message(short).subarray(i, i + 1))),
        http2({ type: GOAWAY, payload: Buffer.alloc(8) }),
      );
    case "bad-opening": {
      const changes: readonly Readonly<Record<string, string>>[] = [
        { channel: "nosuch" },
        { channel: "__proto__" },
        { ":path": "/orrery.transport.Transport/Nosuch" },
        { ":path": "" },
        { "content-type": "text/plain" },
        { ":method": "GET" },
        { "grpc-timeout": "1n" },
        { "grpc-encoding": "gzip" },
        { "x-bin": "\u0000\u0001" },
        { "X-Upper": "no" },
      ];
      return then(call(callHeaders(channel, changes[count % changes.length])), say(message(short)));
    }
    default:
      return (
        anyTransport(options) ??
        then(
          call(),
          many(count, () => say(message(short))),
        )
      );
  }
}

// ------------------------------------------------------------------------------------------ WebSocket

function upgrade(channel: string, changed: Readonly<Record<string, string>> = {}): Buffer {
  const headers = {
    ...{ host: "127.0.0.1", connection: "Upgrade", upgrade: "websocket" },
    ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
    ...changed,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`GET /${channel} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

interface Said {
  /** First byte: end flag, reserved bits, opcode. */
  readonly first: number;
  readonly payload: Buffer;
  readonly length?: bigint;
  readonly isMasked?: boolean;
}

const BINARY = 0x82;

function webSocket({ first, payload, length, isMasked = true }: Said): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt8(first, 0);
  head.writeUInt8((isMasked ? 0x80 : 0) | 127, 1);
  head.writeBigUInt64BE(length ?? BigInt(payload.length), 2);
  // A mask of zeros leaves the bytes unchanged.
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

export function webSocketBytes(options: RawOptions): Buffer {
  const { kind, count, channel, content } = options;
  const short = content.subarray(0, 16_000);
  const then = (...pieces: readonly Buffer[]): Buffer =>
    Buffer.concat([upgrade(channel), ...pieces]);
  switch (kind) {
    case "unfinished":
      return then(
        webSocket({
          first: BINARY,
          payload: short,
          length: [2n ** 63n, 16_000_000n, 100_000n, 2n ** 53n][count % 4] ?? 0n,
        }),
      );
    case "head-flood":
      return upgrade(
        channel,
        Object.fromEntries(
          Array.from({ length: count * 10 }, (_, i) => [`x-${i}`, "y".repeat(99)]),
        ),
      );
    case "bad-lengths":
      return then(webSocket({ first: BINARY, payload: short, length: BigInt(count) }));
    case "bad-kinds":
      return then(
        many(count, (i) =>
          webSocket({ first: (i * 37 + count) % 256, payload: short, isMasked: i % 3 > 0 }),
        ),
      );
    case "control-flood":
      return then(
        many(count * 20, () =>
          webSocket({ first: [0x89, 0x8a, 0x88, 0x81][count % 4] ?? 0x89, payload: short }),
        ),
      );
    case "fragments":
      return then(
        many(count * 20, (i) => webSocket({ first: i === 0 ? 0x02 : 0x00, payload: short })),
      );
    case "bad-opening": {
      const changes: readonly Readonly<Record<string, string>>[] = [
        { origin: "http://example.com" },
        { "sec-websocket-version": "7" },
        { "sec-websocket-key": "x" },
        { host: "example.com" },
        { upgrade: "h2c" },
        { "sec-websocket-extensions": "permessage-deflate; server_max_window_bits=99" },
        { "sec-websocket-protocol": "a, a, __proto__" },
        { "content-length": "99" },
        { "transfer-encoding": "chunked" },
      ];
      const at = count % (changes.length + 1);
      const path = at === changes.length ? "../__proto__" : channel;
      return Buffer.concat([
        upgrade(path, changes[at]),
        webSocket({ first: BINARY, payload: short }),
      ]);
    }
    default:
      return (
        anyTransport(options) ??
        then(many(count, () => webSocket({ first: BINARY, payload: short })))
      );
  }
}
