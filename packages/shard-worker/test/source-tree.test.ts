/** Documents as trees, which partial updates are merged into. */
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { mergeSource, parseSource, printSource } from "../src/write/source-tree.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a member of any name is merged as any other", () => {
  const before = parseSource(bytes('{"__proto__":{"x":1},"constructor":1}'));
  const { merged } = mergeSource(before, parseSource(bytes('{"__proto__":{"y":2},"valueOf":3}')));

  expect(new TextDecoder().decode(printSource(merged))).toBe(
    '{"__proto__":{"x":1,"y":2},"constructor":1,"valueOf":3}',
  );
});

test.each([
  [`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, "stream_constraints_exception"],
  ['{"a":', "unexpected_end_of_input_exception"],
  ["[1]", "not_x_content_exception"],
])("what is no document is refused in the product's words (%#)", (text, type) => {
  const run = (): unknown => parseSource(bytes(text));

  expect(run).toThrow(OperationError);
  expect(run).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ causedBy: expect.objectContaining({ type }) }),
    }),
  );
});
