/**
 * Prints JSON as the product does: bigints as digits, doubles and floats in Java's form, and raw
 * parts unchanged.
 */
import { jsonKey, utf8Decode } from "@orrery/stdx";
import { LazyItems, RawJson, type Decimal, type Printable } from "./printable.ts";

/** Wraps text that is already JSON. */
export function rawJson(text: string): RawJson {
  return new RawJson(text);
}

/** Returns a list whose items are made by `print` when they are printed. */
export function lazyItems<Item>(
  items: readonly Item[],
  print: (item: Item) => Printable,
): LazyItems {
  return new LazyItems(items.length, (i) => print(items[i] as Item));
}

/** Returns an object of named items in order, made by `print` when they are printed. */
export function lazyMembers<Item>(
  items: readonly Item[],
  name: (item: Item, index: number) => string,
  print: (item: Item) => Printable,
): LazyItems {
  const at = (i: number): Item => items[i] as Item;
  return new LazyItems(
    items.length,
    (i) => print(at(i)),
    (i) => name(at(i), i),
  );
}

/** Prints a Java `double`: `1.0`, `2.5`, `1.0E7`. NaN and infinities become strings. */
export function double(value: number): RawJson {
  return new RawJson(Number.isFinite(value) ? javaDouble(value) : `"${javaDouble(value)}"`);
}

/** Prints a Java `float` with its shortest digits. NaN and infinities become strings. */
export function float(value: number): RawJson {
  return new RawJson(Number.isFinite(value) ? javaFloat(value) : `"${javaFloat(value)}"`);
}

export function printDecimal({ value, type }: Decimal): RawJson {
  return type === "double" ? double(value) : float(value);
}

export function isRawJson(value: Printable): value is RawJson {
  return value instanceof RawJson;
}

/** Prints a value as JSON. NaN, infinities, and `undefined` outside of objects become `null`. */
export function jsonText(value: Printable): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    case "bigint":
      return value.toString();
    case "boolean":
      return value ? "true" : "false";
    case "undefined":
      return "null";
    default:
      return value === null ? "null" : compoundText(value);
  }
}

function compoundText(value: Exclude<Printable, null | undefined>): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (isRawJson(value)) return rawText(value);
  if (value instanceof LazyItems) return lazyText(value);
  let text = "";
  const object = value as { readonly [key: string]: Printable };
  for (const key of Object.keys(object)) {
    const item = object[key]; // oxlint-disable-line orrery/client-keys -- one of its own keys, in the printer of every answer
    if (item !== undefined) text += (text === "" ? "" : ",") + jsonKey(key) + jsonText(item);
  }
  return `{${text}}`;
}

function rawText({ rawJson: json }: RawJson): string {
  return typeof json === "string" ? json : utf8Decode(json);
}

function lazyText({ length, at, key }: LazyItems): string {
  const items = Array.from({ length }, (_, i) =>
    key === undefined ? jsonText(at(i)) : jsonKey(key(i)) + jsonText(at(i)),
  );
  return key === undefined ? `[${items.join(",")}]` : `{${items.join(",")}}`;
}

/** Formats like `Double.toString`. */
export function javaDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  return javaForm(String(value), Math.abs(value));
}

/** Formats like `Float.toString`; `value` must be a float. */
export function javaFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return javaDouble(value);
  if (Number.isInteger(value) && Math.abs(value) < MOST_EXACT) return javaDouble(value);
  return javaForm(String(Number(shortestFloat(value))), Math.abs(value));
}

/** Below this, every integer is a float, so its own digits are the shortest. */
const MOST_EXACT = 2 ** 24;

/** Returns the fewest digits that read back as the same float. */
function shortestFloat(value: number): string {
  let shortest = nearest(value, 7);
  if (!isSameFloat(value, shortest)) {
    const eight = nearest(value, 8);
    return isSameFloat(value, eight) ? eight : value.toPrecision(9);
  }
  for (let digits = 6; digits > 0; digits -= 1) {
    const shorter = nearest(value, digits);
    if (!isSameFloat(value, shorter)) break;
    shortest = shorter;
  }
  return shortest;
}

/**
 * Rounds to `digits` digits. At a tie Java takes the even digit, while `toPrecision` takes the
 * greater.
 */
function nearest(value: number, digits: number): string {
  const longer = value.toPrecision(digits + 1);
  const cut = longer.replace(/5(?=e|$)/, "");
  const isBetween = cut !== longer && longer.includes(".") && Number(longer) === value;
  return isBetween && /[02468]\.?(?=e|$)/.test(cut) ? cut : value.toPrecision(digits);
}

function isSameFloat(value: number, digits: string): boolean {
  return Math.fround(Number(digits)) === value;
}

/** Java always prints a decimal point, and an exponent outside [1e-3, 1e7). */
function javaForm(text: string, magnitude: number): string {
  if (magnitude >= 1e-3 && magnitude < 1e7) return text.includes(".") ? text : `${text}.0`;
  const sign = text.startsWith("-") ? "-" : "";
  const [mantissa = "", exponentText = "0"] = text.replace("-", sign === "" ? "-" : "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  const leadingZeros = (whole + fraction).length - all.length;
  const exponent = Number(exponentText) + whole.length - 1 - leadingZeros;
  const rest = all.slice(1).replace(/0+$/, "");
  return `${sign}${all.charAt(0)}.${rest === "" ? "0" : rest}E${exponent}`;
}
