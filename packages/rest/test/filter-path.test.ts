/** `filter_path` against a matcher that tries everything, and patterns that would keep such a one busy for ever. */
import { forSeeds, type Random } from "@orrery/seeds";
import { concatBytes, utf8Decode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { Printable } from "../src/json/printable.ts";
import { render } from "../src/json/render.ts";

function filtered(value: Printable, filterPath: string): string {
  return utf8Decode(concatBytes(render(value, { format: "json", isPretty: false, filterPath })));
}

describe("patterns that backtrack", () => {
  test("forty ** on a body of forty levels", () => {
    const deep = nested(45, "k");

    expect(filtered(deep, `${"**.".repeat(40)}a`)).toBe("{}");
    expect(filtered(deep, `-${"**.".repeat(40)}a`)).toBe(JSON.stringify(deep));
  });

  test("twelve stars on a name of 1,000 characters", () => {
    const body = { hits: { ["k".repeat(1000)]: 1 } };

    expect(filtered(body, `hits.${"*k".repeat(12)}b`)).toBe("{}");
    expect(filtered(body, `hits.${"*k".repeat(12)}*`)).toBe(JSON.stringify(body));
  });
});

test("what is kept is what a matcher that tries everything keeps", () => {
  forSeeds(1_000, (random) => {
    const body = someObject(random, 4);
    const pattern = Array.from({ length: random.int(1, 4) }, () =>
      random.pick(["a", "b", "ab", "*", "**", "a*", "*b", "*a*"]),
    );

    const kept = leavesOf(JSON.parse(filtered(body, pattern.join("."))) as Body, []);
    const wanted = leavesOf(body, []).filter((path) => isWanted(pattern, path.split(".")));
    expect(kept, `${pattern.join(".")} of ${JSON.stringify(body)}`).toEqual(wanted);
  });
});

interface Body {
  readonly [name: string]: Body | number;
}

function nested(depth: number, name: string): Body {
  return { [name]: depth === 1 ? 1 : nested(depth - 1, name) };
}

function someObject(random: Random, depth: number): Body {
  const names = ["a", "b", "ab", "ba", "aab"].filter(() => random.int(0, 1) === 1);
  return Object.fromEntries(
    names.map((name) => [
      name,
      depth === 1 || random.int(0, 2) === 0 ? 1 : someObject(random, depth - 1),
    ]),
  );
}

function leavesOf(body: Body, path: readonly string[]): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === "number" ? [[...path, name].join(".")] : leavesOf(value, [...path, name]),
  );
}

/** A pattern that ends keeps everything below. */
function isWanted(pattern: readonly string[], path: readonly string[]): boolean {
  const [segment, ...rest] = pattern;
  if (segment === undefined) return true;
  const [name, ...below] = path;
  if (name === undefined) return false;
  if (segment === "**") return isWanted(rest, below) || isWanted(pattern, below);
  const expression = new RegExp(`^${segment.replaceAll("*", ".*")}$`);
  return expression.test(name) && isWanted(rest, below);
}
