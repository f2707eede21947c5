/** Bodies that are no UTF-8 or go on after their value, and escapes that are half of a character: none gets into an index or onto the wire. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { parseJson } from "../src/index.ts";

function refusal(...hex: string[]): string | null {
  try {
    parseJson(Uint8Array.from(Buffer.from(hex.join(""), "hex")));
    return "taken";
  } catch (error) {
    return error instanceof OperationError ? error.problem.reason : String(error);
  }
}

const quoted = (hex: string): readonly string[] => ["7b2261223a22", hex, "227d"];

test("bytes that are no UTF-8 are refused with the first of them", () => {
  expect(refusal(...quoted("ff"))).toContain("Invalid UTF-8 start byte 0xff");
  expect(refusal(...quoted("c080"))).toContain("Invalid UTF-8 start byte 0xc0");
  expect(refusal(...quoted("ed22"))).toContain("Invalid UTF-8 middle byte 0x22");
  expect(refusal(...quoted("e28222"))).toMatch(/Invalid UTF-8 middle byte 0x22\n.*byte offset: #8/);
  expect(refusal(...quoted("eda080"))).toContain("Invalid UTF-8 middle byte 0xa0");
});

test("a character that the end cuts off leaves its string open", () => {
  expect(refusal("7b2261223a2278e282")).toContain("Unexpected end-of-input");
});

test("the replacement character is one like any other", () => {
  expect(parseJson(utf8Encode('{"a":"\ufffd"}'))).toEqual({ a: "\ufffd" });
});

test("half a character that was escaped is a question mark, as in Java's UTF-8", () => {
  expect(parseJson(utf8Encode('{"\\ud800":"a\\udc00b"}'))).toEqual({ "?": "a?b" });
  expect(parseJson(utf8Encode('{"a":"\\ud83d\\ude00"}'))).toEqual({ a: "😀" });
});

test("what follows the value is named by its first token", () => {
  const after = (text: string) => refusal(Buffer.from(`{"a":1}${text}`).toString("hex"));

  expect(after(' \n{"b":2')).toBe(
    "Malformed content, found extra data after parsing: START_OBJECT",
  );
  expect([after("[1]"), after(' "{"'), after(" -5"), after(" true"), after("null")]).toEqual(
    ["START_ARRAY", "VALUE_STRING", "VALUE_NUMBER", "VALUE_BOOLEAN", "VALUE_NULL"].map(
      (token) => `Malformed content, found extra data after parsing: ${token}`,
    ),
  );
  expect(after("]")).toContain("Unexpected close marker ']': no open Array to close");
  expect(after(" x")).toContain("Unrecognized token 'x'");
});
