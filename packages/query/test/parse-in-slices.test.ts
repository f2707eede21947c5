/** A large text is read in slices to the same values, and refused in the same words, as in one go. */
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { parseJsonSteps, type SliceSizes } from "../src/json/parse-in-slices.ts";
import { parseJson } from "../src/json/parse-json.ts";

const small: SliceSizes = { cutBytes: 6, pieceBytes: 4 };

function inSlices(bytes: Uint8Array, sizes?: SliceSizes): { value: unknown; turns: number } {
  const steps = parseJsonSteps(bytes, () => true, sizes);
  let turns = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { value: step.value, turns };
    turns += 1;
  }
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
}

const words = [
  ...[
    "",
    "a",
    "long word of some length",
    "ü",
    "€ and 𝄞",
    'quo"te',
    "back\\slash",
    "\u0000\n",
    "__proto__",
  ],
  ...["constructor", "12", "a,b:{}[]", "\ud83d\ude00 x", "0123456789".repeat(3)],
];

function anyJson(random: Random, depth: number): string {
  const blank = random.pick(["", "", "", " ", "\n\t ", " ".repeat(9), "\n ".repeat(20)]);
  const kind = depth > 5 ? random.int(0, 3) : random.int(0, 8);
  const times = random.int(0, 5);
  const all = (make: (i: number) => string): string =>
    Array.from({ length: times }, (_, i) => make(i)).join(`${blank},`);
  if (kind === 0)
    return random.pick(["1", "-0.5e3", "true", "null", "123456789012345678901234", "0"]);
  if (kind <= 3) return anyText(random);
  if (kind <= 5) return `[${blank}${all(() => anyJson(random, depth + 1))}${blank}]`;
  return `{${blank}${all((i) => `${JSON.stringify(`${random.pick(words)}${i}`)}${blank}:${anyJson(random, depth + 1)}`)}${blank}}`;
}

function anyText(random: Random): string {
  const text = JSON.stringify(random.pick(words));
  return random.int(0, 2) > 0 ? text : text.replaceAll(/[^\\"ntu0-9]/gu, (char) => escaped(char));
}

function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

describe("JSON read in slices", () => {
  test("has the values that it has when it is read in one go", () => {
    forSeeds(300, (random) => {
      const bytes = utf8Encode(anyJson(random, 0));
      expect(outcome(() => inSlices(bytes, small).value)).toEqual(outcome(() => parseJson(bytes)));
    });
  });

  test("is refused in the same words where one byte of it is wrong", () => {
    forSeeds(1200, (random) => {
      const bytes = utf8Encode(anyJson(random, 0));
      const at = random.int(0, bytes.length - 1);
      bytes[at] = random.pick([0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d, 0x5c, 0x31, 0x01, 0x20]);
      expect(outcome(() => inSlices(bytes, small).value)).toEqual(outcome(() => parseJson(bytes)));
    });
  });

  test("is refused in the same words where it is cut off or goes on", () => {
    forSeeds(300, (random) => {
      const text = anyJson(random, 0);
      const bytes = utf8Encode(
        random.int(0, 1) === 0
          ? text.slice(0, random.int(0, text.length))
          : `${text}${" ".repeat(random.int(1, 20))}${random.pick(["]", "{}", "1", ","])}`,
      );
      expect(outcome(() => inSlices(bytes, small).value)).toEqual(outcome(() => parseJson(bytes)));
    });
  });

  test.each([
    ["within a text", 0xff, 12],
    ["within a character", 0x41, 24],
    ["between members", 0x80, 36],
  ])("is refused with a byte that is no UTF-8 %s", (_, byte, at) => {
    const bytes = utf8Encode('{"a":"0123456789","b": "ü€€€" ,"c":[1,2,3]}');
    bytes[at] = byte;

    const refused = outcome(() => inSlices(bytes, small).value);

    expect(refused).toHaveProperty("type");
    expect(refused).toEqual(outcome(() => parseJson(bytes)));
  });

  test.each([
    ["a key that stands in two slices", `{"a":[1,2,3,4],"b":"0123456789","a":1}`],
    ["a comma before the end", `{"a":"0123456789","b":[1,2,3,4,5,6,]}`],
    ["nothing between two commas", `[1,2,3,4,,5,6]`],
    ["no comma behind a list", `[[1,2,3,4,5,6] [1]]`],
    ["a list that ends as an object", `[[1,2,3,4,5,6}]`],
    ["blanks between two numbers", `{"a":[1${" ".repeat(30)}2]}`],
    ["nothing but blanks", " ".repeat(30)],
    ["a value behind many blanks", `{"a":1}${" ".repeat(30)}{"b":2}`],
    ["a bracket behind many blanks", `${" ".repeat(30)}}`],
    ["a word behind many blanks", `${" ".repeat(30)}"a" ${" ".repeat(30)}nosuch`],
    ["more levels than there may be", `${"[1,22222222,".repeat(1001)}${"]".repeat(1001)}`],
  ])("is refused with %s", (_, text) => {
    const bytes = utf8Encode(text);
    const refused = outcome(() => inSlices(bytes, small).value);

    expect(refused).toHaveProperty("type");
    expect(refused).toEqual(outcome(() => parseJson(bytes)));
  });

  test.each([
    ["numbers", JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i))],
    ["a text", JSON.stringify({ x: "a".repeat(1_200_000) })],
    ["a text of escapes", JSON.stringify({ x: '"'.repeat(600_000) })],
    [
      "members",
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key${i}`, { i }])),
      ),
    ],
    ["blanks before a value", `${" ".repeat(1_200_000)}{"a":1}`],
    ["blanks behind a value", `{"a":1}${" ".repeat(1_200_000)}`],
    ["blanks in a value", `{"a":[1,${" ".repeat(1_200_000)}2],"b":" "}`],
    ["blanks behind a number", `7${"\n".repeat(1_200_000)}`],
    ["objects in each other", `${'{"a":'.repeat(900)}"${"b".repeat(1_200_000)}"${"}".repeat(900)}`],
  ])("of 1.2 MB of %s lets others go on", (_, text) => {
    const { turns, value } = inSlices(utf8Encode(text));

    expect(turns).toBeGreaterThan(10);
    expect(value).toEqual(JSON.parse(text));
  });
});
