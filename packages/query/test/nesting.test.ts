/** How deep JSON and documents may be nested, and that nothing recurses deeper. Words and limits are the product's. */
import { OperationError, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { coreLanguage, createMapping, MAX_NESTING, parseJson } from "../src/index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const lists = (levels: number): string => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

function problemFrom(run: () => unknown): Problem | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
}

const TOO_DEEP = {
  type: "stream_constraints_exception",
  reason:
    "Document nesting depth (1001) exceeds the maximum allowed (1000, from `StreamReadConstraints.getMaxNestingDepth()`)",
  status: 400,
};

describe.each([
  ["objects", objects],
  ["lists", lists],
  [
    "objects with long numbers",
    (levels: number) => objects(levels).replace("1", "12345678901234567890"),
  ],
])("JSON of %s in each other", (_, nested) => {
  test("is read up to a depth of 1000", () => {
    expect(MAX_NESTING).toBe(1000);
    expect(problemFrom(() => parseJson(bytes(nested(1000))))).toBeUndefined();
  });

  test.each([1001, 5000, 200_000])("is refused at a depth of %d", (levels) => {
    expect(problemFrom(() => parseJson(bytes(nested(levels))))).toEqual({
      ...TOO_DEEP,
      causedBy: TOO_DEEP,
    });
  });
});

test("brackets in texts are no depth", () => {
  expect(problemFrom(() => parseJson(bytes(`{"a":"${"{[".repeat(3000)}"}`)))).toBeUndefined();
});

describe("a document", () => {
  const mapping = createMapping(
    coreLanguage,
    { properties: { off: { type: "object", enabled: false }, n: { type: "long" } } },
    {},
  );
  const parse = (text: string): Problem | undefined =>
    problemFrom(() => mapping.parseDocument("1", bytes(text), undefined));
  const exceeded = (what: string): unknown => ({
    type: "mapper_parsing_exception",
    reason: "failed to parse",
    causedBy: {
      type: "parse_exception",
      reason: `The depth of the ${what} has exceeded the allowed limit of [20]. This limit can be set by changing the [index.mapping.depth.limit] index level setting.`,
    },
  });

  test.each([22, 999, 1000])(
    "of %d new objects in each other is refused while it is read",
    (levels) => {
      expect(parse(objects(levels))).toMatchObject(exceeded("field") as object);
    },
  );

  test.each([21, 999])(
    "with %d lists in each other is refused, its field mapped or not",
    (levels) => {
      expect(parse(`{"new":${lists(levels)}}`)).toMatchObject(
        exceeded("nested array field") as object,
      );
      expect(parse(`{"n":${lists(levels)}}`)).toMatchObject(
        exceeded("nested array field") as object,
      );
      expect(parse(`{"n":${lists(20)},"new":${lists(20)}}`)).toBeUndefined();
    },
  );

  test("may be as deep as JSON where nothing is mapped", () => {
    expect(parse(`{"off":${objects(999)}}`)).toBeUndefined();
    expect(parse(`{"off":${objects(1000)}}`)).toMatchObject({
      type: "mapper_parsing_exception",
      causedBy: TOO_DEEP,
    });
  });
});
