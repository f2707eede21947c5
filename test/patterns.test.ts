/** Expressions that are made when the program runs: only where their source is the program's own or cannot be slow. */
import { expect, test } from "vitest";
import { filesBelow, packageNames, read } from "./repository.ts";

/** Each with the reason why no client can make it slow. */
const allowed: Readonly<Record<string, string>> = {
  "packages/host-node/src/process-info.ts": "of constants",
  "packages/query/src/expressions/tokens.ts":
    "of constants, by which a text is read in one way only",
  "packages/scenario/src/expectations.ts": "a plan's author writes it, on the author's own machine",
  "packages/scenario/src/shape.ts": "of constants",
  "packages/stdx/src/java-pattern/char-set.ts": "one character, one property",
  "packages/stdx/src/java-pattern/native.ts": "sets one after the other and one loop at the end",
};

test("expressions are made of texts only where it is said why that is safe", () => {
  const found = packageNames
    .filter((name) => name !== "fuzz")
    .flatMap((name) => filesBelow(`packages/${name}/src`, ".ts"))
    .filter((file) => /\bRegExp\(/.test(code(read(file))));
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
});

/** Without comments. */
function code(text: string): string {
  return text.replaceAll(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}
