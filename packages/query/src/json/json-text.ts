/** Printing JSON as the product does: bigint as digits, Java's form of doubles and floats where it matters, raw parts as they are. */
import { jsonKey, utf8Decode } from "@orrery/stdx";
import { LazyItems, RawJson, type Decimal, type Printable } from "./printable.ts";

/** Text that is JSON already. */
export function rawJson(text: string): RawJson {
  return new RawJson(text);
}

/** `print` is called for an item when it is printed. */
export function lazyItems<Item>(
  items: readonly Item[],
  print: (item: Item) => Printable,
): LazyItems {
  return new LazyItems(items.length, (i) => print(items[i] as Item));
}

/** As members of an object, in their order, by their names. */
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

/** A Java `double`: `1.0`, `2.5`, `1.0E7`; `NaN` and infinities as the text the product prints. */
export function double(value: number): RawJson {
  return new RawJson(Number.isFinite(value) ? javaDouble(value) : `"${javaDouble(value)}"`);
}

/** A Java `float`: its shortest digits; `NaN` and infinities as texts, too. */
export function float(value: number): RawJson {
  return new RawJson(Number.isFinite(value) ? javaFloat(value) : `"${javaFloat(value)}"`);
}

export function printDecimal({ value, type }: Decimal): RawJson {
  return type === "double" ? double(value) : float(value);
}

export function isRawJson(value: Printable): value is RawJson {
  return value instanceof RawJson;
}

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

/** `Double.toString`. */
export function javaDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  return javaForm(String(value), Math.abs(value));
}

/** `Float.toString` of a value that is a float. */
export function javaFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return javaDouble(value);
  if (Number.isInteger(value) && Math.abs(value) < MOST_EXACT) return javaDouble(value);
  return javaForm(String(Number(shortestFloat(value))), Math.abs(value));
}

/** Whole numbers below this are floats each, so that their digits are the shortest. */
const MOST_EXACT = 2 ** 24;

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

/** Of two decimals that are as near, Java takes the one with an even last digit and `toPrecision` the greater. */
function nearest(value: number, digits: number): string {
  const longer = value.toPrecision(digits + 1);
  const cut = longer.replace(/5(?=e|$)/, "");
  const isBetween = cut !== longer && longer.includes(".") && Number(longer) === value;
  return isBetween && /[02468]\.?(?=e|$)/.test(cut) ? cut : value.toPrecision(digits);
}

function isSameFloat(value: number, digits: string): boolean {
  return Math.fround(Number(digits)) === value;
}

/** Java prints a decimal point always, and an exponent outside [1e-3, 1e7). */
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
