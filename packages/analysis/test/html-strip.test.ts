/** Markup in texts, and texts of openings that nothing closes. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { htmlStrip } from "../src/char-filters/html-strip.ts";

const context = { name: "html_strip" } as Parameters<typeof htmlStrip>[1];

function stripped(text: string, escaped: readonly string[] = []): string {
  return htmlStrip({ escaped_tags: [...escaped] }, context)(text, 1000).text;
}

test.each([
  ["<p>a &amp; b</p>c", "\na & b\nc"],
  ["a<b>b</b>c", "abc"],
  ["a<!-- <p> -->b", "ab"],
  ["a<!-- b", "a<!-- b"],
  ["<script>x < y</script >z", "\nz"],
  ["<script>x", "\nx"],
  ["<![CDATA[x<y]]>", "x<y"],
  ["<!DOCTYPE html>a<?php x?>b", "\na\nb"],
  ["<a href=\"x>y\" title='>'>z", "z"],
  ['<p a="x>y', '<p a="x>y'],
  ["<br/>a<br />b<1>c < d", "\na\nb<1>c < d"],
  ["&#65;&#x42;&lt;&nope;&#x110000;", "AB<&nope;&#x110000;"],
])("%s is read as %s", (text, wanted) => {
  expect(stripped(text)).toBe(wanted);
});

test("tags that are kept", () => {
  expect(stripped("<P>a<i>b", ["p"])).toBe("<P>ab");
});

/** What was used before: right, and slow. */
const MARKUP =
  /<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<(script|style)\b[^>]*>.*?<\/\2\s*>|<[!?][^>]*>|<\/?([A-Za-z][\w:.-]*)(?:\s+(?:"[^"]*"|'[^']*'|[^'">])*)?\/?>/gs;

test("markup is found where one expression of all its forms finds it", () => {
  forSeeds(3_000, (random) => {
    const parts = [
      "<",
      ">",
      "p",
      "<b",
      "</i",
      "<script",
      "</script",
      '"',
      "'",
      " ",
      "/",
      "<!--",
      "-->",
      "<!",
      "x",
    ];
    const text = Array.from({ length: random.int(1, 14) }, () => random.pick(parts)).join("");
    const wanted = text.replaceAll(
      MARKUP,
      (found: string, cdata?: string, raw?: string, tag?: string) => {
        if (cdata !== undefined) return cdata;
        if (raw === undefined && tag === undefined && found.startsWith("<!--")) return "";
        return ["b", "i"].includes(tag ?? "") ? "" : "\n";
      },
    );
    expect(stripped(text), text).toBe(wanted);
  });
});

describe("texts of openings", () => {
  test.each([
    ["<!--", ""],
    ["<![CDATA[", ""],
    ["<script>", "</script x".repeat(100_000)],
    ['<script "', ">"],
    ["<a ", ""],
    ['<a "', "'>"],
    ["<a '\"", ">"],
    ["<!", ""],
    ["<a\n\n\n\n", "'"],
    ["&#", ""],
  ])("%s, 100,000 times", (opening, end) => {
    expect(stripped(opening.repeat(100_000) + end).length).toBeGreaterThanOrEqual(0);
  });
});
