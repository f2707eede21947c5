/**
 * Equality of JSON values, which decides whether an update changes a document. Source:
 * `Objects.equals` of the product's parsed maps.
 *
 * Numbers are equal by value, but an integer never equals a decimal (`1`, `1.0`). The order of keys
 * does not matter. Digits beyond those of a double count, since trees keep them.
 */
import { lookup } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "./exact-json.ts";
import type { TreeObject } from "./key-order.ts";

export function equalTrees(one: JsonTree, other: JsonTree): boolean {
  if (one === other) return true;
  if (one instanceof JsonLiteral) return other instanceof JsonLiteral && equalNumbers(one, other);
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return false;
  if (other instanceof JsonLiteral || Array.isArray(one) !== Array.isArray(other)) return false;
  return equalMembers(one as TreeObject, other as TreeObject);
}

/** Compares two objects or two lists. */
function equalMembers(one: TreeObject, other: TreeObject): boolean {
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => {
    const value = lookup(other, key);
    return value !== undefined && equalTrees(lookup(one, key) as JsonTree, value);
  });
}

function equalNumbers(one: JsonLiteral, other: JsonLiteral): boolean {
  if (one.text === other.text) return true;
  if (one.isInteger !== other.isInteger) return false;
  if (one.isInteger) return BigInt(one.text) === BigInt(other.text);
  return decimalOf(one.text) === decimalOf(other.text);
}

/**
 * Returns a normal form: sign, significant digits, and the power of ten of the last digit. `1.50`
 * and `15e-1` have the same.
 */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutZerosBehind(digits);
  if (significant === "") return `${sign}0`;
  const power =
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** Cuts trailing zeros. A loop, because a regular expression ending in `0+$` is quadratic. */
function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === "0") end -= 1;
  return digits.slice(0, end);
}
