/** The text forms that transcripts and traces rely on. */
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { describeMessage, localApplyThread, newMessage } from "../src/index.ts";
import { quote } from "../src/quote.ts";

describe("quoting", () => {
  test("keeps text readable and escapes the rest as Go does", () => {
    const texts = [
      "plain",
      'say "hi"\\',
      "tab\tnew\nline\u0007",
      "größe 日本 😀",
      "\u0000\u007f\u200b",
    ];

    expect(texts.map((text) => quote(utf8Encode(text)))).toEqual([
      '"plain"',
      String.raw`"say \"hi\"\\"`,
      String.raw`"tab\tnew\nline\a"`,
      '"größe 日本 😀"',
      String.raw`"\x00\x7f\u200b"`,
    ]);
  });

  test("shows bytes that are no UTF-8 one by one", () => {
    expect(quote(Uint8Array.of(0x61, 0xff, 0xc3, 0x62, 0xe6, 0x97))).toBe(
      String.raw`"a\xff\xc3b\xe6\x97"`,
    );
  });
});

test("ids are printed in base 16, local targets and nobody by name", () => {
  const message = newMessage({ kind: "MsgHup", to: 26, from: localApplyThread });

  expect(describeMessage(message)).toBe("ApplyThread->1a MsgHup Term:0 Log:0/0");
  expect(describeMessage(newMessage({ kind: "MsgHup", to: 1 }))).toBe(
    "None->1 MsgHup Term:0 Log:0/0",
  );
});
