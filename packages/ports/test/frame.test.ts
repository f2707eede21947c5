/** The layout of frames: what is written is read, and what is no frame is refused. */
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  anonymous,
  createCaller,
  decodeFrame,
  encodeFrame,
  frameVersion,
  readFrameLabel,
  type Caller,
  type FrameHeader,
} from "../src/index.ts";

const header: FrameHeader = {
  kind: "request",
  correlationId: 2 ** 40,
  from: "a",
  to: "b",
  endpoint: 3,
  action: "indices:data/write/bulk[s]",
  shard: "uuid/7",
  timeoutMs: 1500,
  part: 2,
  task: 65_537,
  caller: anonymous,
};

test("what was encoded is decoded, with any header and any payload", () => {
  forSeeds(300, (random) => {
    const written = anyHeader(random);
    const payload = random.bytes(random.int(0, 2000));

    const { payload: read, ...rest } = decodeFrame(encodeFrame(written, payload));

    expect(rest).toEqual(written);
    expect(read).toEqual(payload);
  });
});

test("a time-out longer than a number can say is as long as one can, and one below nothing is none", () => {
  for (const [timeoutMs, read] of [
    [2 ** 63, Number.MAX_SAFE_INTEGER],
    [Infinity, Number.MAX_SAFE_INTEGER],
    [-1, 0],
  ] as const) {
    expect(decodeFrame(encodeFrame({ ...header, timeoutMs }, new Uint8Array())).timeoutMs).toBe(
      read,
    );
  }
});

test("the label of a frame is what decoding it says", () => {
  forSeeds(100, (random) => {
    const written = anyHeader(random);
    const { kind, correlationId, action, shard } = written;

    expect(readFrameLabel(encodeFrame(written, random.bytes(20)))).toEqual({
      kind,
      correlationId,
      action,
      shard,
    });
  });
});

test("a frame of another version is refused", () => {
  const bytes = encodeFrame(header, utf8Encode("x"));
  bytes[0] = 9;

  expect(() => decodeFrame(bytes)).toThrow(
    "received message from unsupported version: [9] minimal compatible version is: [4] maximal compatible version is: [4]",
  );
});

test("bytes that end too early or start wrong are refused, never anything else", () => {
  forSeeds(300, (random) => {
    const bytes = encodeFrame(anyHeader(random), random.bytes(10));
    const broken = bytes.slice(0, random.int(0, bytes.length));
    if (broken.length > 1) broken[random.int(1, broken.length - 1)] = random.int(0, 255);

    try {
      decodeFrame(broken);
    } catch (error) {
      expect(error).toBeInstanceOf(OperationError);
    }
  });
});

test.each([
  ["a correlation id above what a number holds", 1, [255, 255, 255, 255, 255, 255, 255, 31]],
  ["a correlation id that does not end", 1, Array.from({ length: 40 }, () => 128)],
  ["a text longer than any", 2, [128, 128, 4]],
  ["a text that is no UTF-8", 2, [2, 0xc3, 0x28]],
])("%s is refused", (_name, field, bytes) => {
  const before = field === 1 ? [] : [1];
  const rest = Array.from({ length: 70_000 }, () => 0);

  expect(() => decodeFrame(Uint8Array.of(frameVersion, 0, ...before, ...bytes, ...rest))).toThrow(
    "invalid internal transport message format",
  );
});

test("numbers that something is counted by are refused when nothing is counted so far", () => {
  for (const wrong of [{ endpoint: 2 ** 32 }, { part: 2 ** 31 }])
    expect(() => decodeFrame(encodeFrame({ ...header, ...wrong }, utf8Encode("")))).toThrow(
      OperationError,
    );
});

test("a text is what its bytes say, whatever other texts came before in its place", () => {
  forSeeds(5, (random) => {
    const texts = Array.from({ length: 1000 }, () => `node-${random.int(0, 1e9)}`);
    for (const from of texts)
      expect(decodeFrame(encodeFrame({ ...header, from }, utf8Encode(""))).from).toBe(from);
  });
});

function anyHeader(random: Random): FrameHeader {
  const text = (): string => random.pick(["", "a", "zürich/3", "x".repeat(random.int(1, 300))]);
  return {
    kind: random.pick(["request", "response", "error", "cancel", "one-way", "request-part"]),
    correlationId: random.pick([0, 1, 127, 128, 2 ** 31, 2 ** 53 - 1]),
    from: text(),
    to: text(),
    endpoint: random.int(0, 300),
    action: text(),
    shard: text(),
    timeoutMs: random.int(0, 100_000),
    part: random.int(0, 1000),
    task: random.pick([0, 1, 65_536, 2 ** 53 - 1]),
    caller: anyCaller(random),
  };
}

function anyCaller(random: Random): Caller {
  if (random.int(0, 2) === 0) return anonymous;
  const text = (): string => random.pick(["", "a", "zürich", "x".repeat(random.int(1, 5000))]);
  const roles = Array.from({ length: random.int(0, 3) }, text);
  const principal = random.int(0, 1) === 0 ? undefined : { name: text(), roles };
  return createCaller({ principal, headers: new Map([["x-opaque-id", text()]]) });
}

/** The header as above with these bytes for a caller. */
function frameOfCaller(...caller: readonly number[]): Uint8Array {
  const whole = encodeFrame(header, new Uint8Array());
  return Uint8Array.of(...whole.subarray(0, -1), caller.length, ...caller);
}

test.each([
  ["a principal that is neither there nor not", [2, 0]],
  ["a name that ends after the caller does", [1, 9, 97]],
  ["a name that is no UTF-8", [1, 2, 0xc3, 0x28, 0, 0]],
  ["roles without number", [1, 1, 97, 255, 255, 255, 127]],
  ["a header that comes twice", [0, 2, 1, 97, 1, 98, 1, 97, 1, 99]],
  ["bytes after its end", [0, 1, 1, 97, 1, 98, 7]],
  ["a number in more bytes than it needs", [0, 129, 0, 1, 97, 1, 98]],
])("a caller with %s is refused", (_name, bytes) => {
  expect(() => decodeFrame(frameOfCaller(...bytes))).toThrow(
    "invalid internal transport message format",
  );
});

test("a caller is read as it was written", () => {
  const { caller } = decodeFrame(frameOfCaller(1, 1, 97, 1, 1, 114, 1, 1, 104, 1, 118));

  expect(caller.principal).toEqual({ name: "a", roles: ["r"] });
  expect([...caller.headers]).toEqual([["h", "v"]]);
});

test("a caller longer than a frame carries is neither made nor read", () => {
  const headers = new Map([["x-opaque-id", "x".repeat(40_000)]]);
  const frame = encodeFrame(header, new Uint8Array());
  const long = Uint8Array.of(...frame.subarray(0, -1), 129, 128, 2, ...new Uint8Array(32_769));

  expect(() => createCaller({ principal: undefined, headers })).toThrow("at most [32768]");
  expect(() => decodeFrame(long)).toThrow("the length of a caller [32769] is larger than [32768]");
});
