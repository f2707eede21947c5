/** Values and problems in messages: what was told is what is read, and messages that no node writes are refused. */
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError, setKey, type Json, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  BulkItemResult,
  ManagerRequest,
  readWireJson,
  readWireObject,
  readWireProblem,
  wireJson,
  wireProblem,
} from "../src/index.ts";

const texts = [
  "",
  "a",
  "0",
  "10",
  "__proto__",
  "constructor",
  "é",
  "\u{1f600}",
  "\0",
  '"',
  "\ufffd",
];

function anyValue(random: Random, depth: number): Json {
  switch (random.int(0, depth > 0 ? 8 : 6)) {
    case 0:
      return null;
    case 1:
      return random.int(0, 1) === 1;
    case 2:
      return random.pick([0, 1, -1, 1.5, 1e308, 5e-324, -1e21, 2 ** 53, Number.MAX_SAFE_INTEGER]);
    case 3:
      return BigInt(random.pick(["0", "9007199254740993", "-18446744073709551616"]));
    case 4:
      return random.int(-1_000_000, 1_000_000);
    case 5:
    case 6:
      return random.pick(texts);
    case 7:
      return Array.from({ length: random.int(0, 4) }, () => anyValue(random, depth - 1));
    default:
      return anyObject(random, depth);
  }
}

function anyObject(random: Random, depth: number): Record<string, Json> {
  const object: Record<string, Json> = {};
  for (let i = random.int(0, 4); i > 0; i -= 1)
    setKey(object, random.pick(texts), anyValue(random, depth - 1));
  return object;
}

function anyProblem(random: Random, depth: number): Problem {
  const has = (): boolean => random.int(0, 2) === 0;
  const list = (): Problem[] =>
    Array.from({ length: random.int(0, 2) }, () => anyProblem(random, depth - 1));
  return {
    type: random.pick(["x_exception", "y"]),
    reason: random.pick([null, "", "why", "é \u{1f600}"]),
    status: random.int(400, 599),
    ...(has() ? { metadata: anyObject(random, 2) } : {}),
    ...(depth > 0 && has() ? { causedBy: anyProblem(random, depth - 1) } : {}),
    ...(depth > 0 && has() ? { suppressed: list() } : {}),
    ...(depth > 0 && has() ? { rootCauses: list() } : {}),
    ...(has() ? { internal: random.pick(["", "TypeError: x"]) } : {}),
    ...(has() ? { isRetryable: random.int(0, 1) === 1 } : {}),
  };
}

/** With the order of keys, and integers told from numbers. A matcher compares no member `__proto__`. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? `${item}n` : item,
  );
}

const viaWire = (value: unknown): unknown =>
  readWireJson(
    ManagerRequest.decode(ManagerRequest.encode({ body: wireJson(value) }).finish()).body,
  );

function problemViaWire(problem: Problem): Problem {
  const bytes = BulkItemResult.encode({ problem: wireProblem(problem) }).finish();
  const { problem: told } = BulkItemResult.decode(bytes);
  if (told === null) throw new Error("no problem came");
  return readWireProblem(told);
}

function refusalOf(run: () => unknown): Problem | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problem;
  }
}

const corrupted = { type: "stream_corrupted_exception", status: 400 };

test("any value is read as it was written, its keys in their order", () => {
  forSeeds(500, (random) => {
    const value = anyValue(random, 4);

    expect(shown(viaWire(value))).toBe(shown(value));
  });
});

test("members without a value are left out, and numbers that JSON does not know are null", () => {
  expect(viaWire({ a: undefined, b: [undefined], c: Number.NaN, d: -0 })).toStrictEqual({
    b: [null],
    c: null,
    d: -0,
  });
});

test("half of a character is told as a question mark, as the message would be refused", () => {
  expect(viaWire({ "\ud800x": "a\udc00\u{1f600}" })).toStrictEqual({ "?x": "a?\u{1f600}" });
});

test("any problem is read as it was written", () => {
  forSeeds(500, (random) => {
    const problem = anyProblem(random, 3);

    expect(shown(problemViaWire(problem))).toBe(shown(problem));
  });
});

describe("a message is refused that", () => {
  const text = { kind: 5, text: "x", number: 0, keys: [], items: [] };
  const object = { ...text, kind: 7 };

  test.each([
    ["has a kind that there is not", { ...text, kind: 8 }],
    ["has digits that are none", { ...text, kind: 4, text: "12x" }],
    ["has more digits than any number", { ...text, kind: 4, text: "1".repeat(1001) }],
    ["has more keys than items", { ...object, keys: ["a", "b"], items: [text] }],
    ["has more items than keys", { ...object, keys: ["a"], items: [text, text] }],
    ["has a key twice", { ...object, keys: ["a", "a"], items: [text, text] }],
    ["holds such a one", { ...text, kind: 6, items: [{ ...text, kind: 99 }] }],
  ])("%s", (_what, message) => {
    expect(refusalOf(() => readWireJson(message))).toMatchObject(corrupted);
  });

  test("is no object where one is asked for", () => {
    for (const message of [null, text, { ...text, kind: 6 }])
      expect(refusalOf(() => readWireObject(message))).toMatchObject(corrupted);
  });

  test.each([
    ["has no status of a failure", { status: 200 }],
    ["has a status of nothing", { status: 4040 }],
    ["has no type", { type: "" }],
    ["has metadata that is no object", { metadata: wireJson([1]) }],
    ["has such a cause", { causedBy: { type: "x", status: 0 } }],
    ["has such a root cause", { rootCauses: { problems: [{ type: "", status: 400 }] } }],
  ])("is to be a problem and %s", (_what, change) => {
    const problem = { type: "x", status: 400, ...change };
    const bytes = BulkItemResult.encode({ problem }).finish();
    const { problem: told } = BulkItemResult.decode(bytes);

    expect(told).not.toBeNull();
    expect(refusalOf(() => told && readWireProblem(told))).toMatchObject(corrupted);
  });
});

test("a value as deep as a client's may be is read, a bottomless one is refused with its message", () => {
  let deep: Json = "bottom";
  for (let i = 0; i < 1000; i += 1) deep = i % 2 === 0 ? [deep] : { a: deep };
  expect(viaWire(deep)).toStrictEqual(deep);

  // 5: items, of a list (1: kind) in a list.
  let bytes = Uint8Array.of(0x08, 5);
  for (let i = 0; i < 5000; i += 1) bytes = nested(bytes);
  const request = Uint8Array.of(0x0a, ...lengthOf(bytes), ...bytes);
  expect(refusalOf(() => ManagerRequest.decode(request))).toMatchObject(corrupted);
});

function nested(item: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = [0x08, 6, 0x2a, ...lengthOf(item)];
  const bytes = new Uint8Array(head.length + item.length);
  bytes.set(head);
  bytes.set(item, head.length);
  return bytes;
}

function lengthOf({ length }: Uint8Array): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
