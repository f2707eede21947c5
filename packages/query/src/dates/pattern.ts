/**
 * Compiles date patterns of `java.time` to elements that both parse and print.
 *
 * The named formats use two elements that Java does not have: `{fraction}` (`.` or `,` and one to
 * nine digits, three of them printed) and `{zone}` (`Z`, an offset with or without colon, or a
 * region).
 */
import { illegalArgument, lookup } from "@orrery/stdx";

export type NumberField =
  | "year"
  | "yearOfEra"
  | "month"
  | "day"
  | "dayOfYear"
  | "hour"
  | "clockHour"
  | "hour12"
  | "hourOfHalf"
  | "minute"
  | "second"
  | "milliOfDay"
  | "nano"
  | "nanoOfDay"
  | "weekYear"
  | "week"
  | "dayOfWeek"
  | "quarter";

/** One part of a compiled pattern. */
export type Element =
  | { readonly kind: "literal"; readonly text: string }
  /** `min` and `max` count digits; a `max` of 19 is any width. Two-digit years count from 2000. */
  | {
      readonly kind: "number";
      readonly field: NumberField;
      readonly min: number;
      readonly max: number;
      readonly isTwoDigitYear: boolean;
    }
  /** Digits of the second's fraction; `separators` are the characters that may lead it. */
  | {
      readonly kind: "fraction";
      readonly min: number;
      readonly max: number;
      readonly separators: string;
    }
  | {
      readonly kind: "text";
      readonly field: "month" | "dayOfWeek" | "half" | "era";
      readonly isLong: boolean;
    }
  | {
      readonly kind: "zone";
      readonly form: "any" | "offset-colon" | "offset-plain" | "region";
      readonly zero: string;
    }
  | { readonly kind: "optional"; readonly elements: readonly Element[] };

const NUMBERS: Readonly<Record<string, NumberField>> = {
  u: "year",
  y: "yearOfEra",
  Y: "weekYear",
  M: "month",
  L: "month",
  d: "day",
  D: "dayOfYear",
  H: "hour",
  k: "clockHour",
  h: "hour12",
  K: "hourOfHalf",
  m: "minute",
  s: "second",
  A: "milliOfDay",
  n: "nano",
  N: "nanoOfDay",
  w: "week",
  e: "dayOfWeek",
  c: "dayOfWeek",
  q: "quarter",
  Q: "quarter",
};

/**
 * Compiles a date pattern to its elements.
 * @throws OperationError `illegal_argument_exception` for a bad pattern
 */
export function compilePattern(pattern: string): Element[] {
  const state = { pattern, at: 0 };
  const elements = compileSection(state, false);
  return widenAdjacent(elements);
}

interface CompileState {
  readonly pattern: string;
  at: number;
}

function compileSection(state: CompileState, isOptional: boolean): Element[] {
  const elements: Element[] = [];
  const { pattern } = state;
  while (state.at < pattern.length) {
    const char = pattern.charAt(state.at);
    if (char === "[") {
      state.at += 1;
      elements.push({ kind: "optional", elements: compileSection(state, true) });
    } else if (char === "]") {
      if (!isOptional)
        throw invalid(pattern, "Pattern invalid as it contains ] without previous [");
      state.at += 1;
      return elements;
    } else if (char === "'") {
      elements.push({ kind: "literal", text: readQuoted(state) });
    } else if (char === "{") {
      const end = pattern.indexOf("}", state.at);
      const name = pattern.slice(state.at + 1, end);
      state.at = end + 1;
      elements.push(special(pattern, name));
    } else if (/[A-Za-z]/.test(char)) {
      let end = state.at;
      while (pattern.charAt(end) === char) end += 1;
      elements.push(letter(pattern, char, end - state.at));
      state.at = end;
    } else {
      elements.push({ kind: "literal", text: char });
      state.at += 1;
    }
  }
  return elements;
}

function readQuoted(state: CompileState): string {
  const { pattern } = state;
  let text = "";
  state.at += 1;
  if (pattern.charAt(state.at) === "'") {
    state.at += 1;
    return "'";
  }
  for (;;) {
    const char = pattern.charAt(state.at);
    if (char === "") throw invalid(pattern, "Pattern ends with an incomplete string literal");
    state.at += 1;
    if (char !== "'") {
      text += char;
    } else if (pattern.charAt(state.at) === "'") {
      text += "'";
      state.at += 1;
    } else {
      return text;
    }
  }
}

/** Compiles an element in braces. */
function special(pattern: string, name: string): Element {
  if (name === "fraction") return { kind: "fraction", min: 1, max: 9, separators: ".," };
  if (name === "fraction3") return { kind: "fraction", min: 3, max: 3, separators: "." };
  if (name === "zone") return { kind: "zone", form: "any", zero: "Z" };
  throw invalid(pattern, `Pattern includes reserved character: '{'`);
}

/** Compiles `count` equal letters. */
function letter(pattern: string, char: string, count: number): Element {
  const field = lookup(NUMBERS, char);
  if (field !== undefined) {
    if (count >= 3 && (field === "month" || (field === "dayOfWeek" && char !== "w"))) {
      return { kind: "text", field, isLong: count === 4 };
    }
    return numberElement(field, count);
  }
  switch (char) {
    case "S":
      return { kind: "fraction", min: count, max: count, separators: "" };
    case "E":
      return { kind: "text", field: "dayOfWeek", isLong: count === 4 };
    case "a":
      return { kind: "text", field: "half", isLong: false };
    case "G":
      return { kind: "text", field: "era", isLong: count === 4 };
    case "X":
      return { kind: "zone", form: count >= 3 ? "offset-colon" : "offset-plain", zero: "Z" };
    case "x":
      return {
        kind: "zone",
        form: count >= 3 ? "offset-colon" : "offset-plain",
        zero: count >= 3 ? "+00:00" : "+0000",
      };
    case "Z":
      return {
        kind: "zone",
        form: count === 5 ? "offset-colon" : "offset-plain",
        zero: count === 5 ? "Z" : "+0000",
      };
    case "z":
    case "V":
    case "v":
    case "O":
      return { kind: "zone", form: "region", zero: "UTC" };
    default:
      throw invalid(pattern, `Unknown pattern letter: ${char}`);
  }
}

function numberElement(field: NumberField, count: number): Element {
  const isYear = field === "year" || field === "yearOfEra" || field === "weekYear";
  if (isYear) {
    if (count === 2) return { kind: "number", field, min: 2, max: 2, isTwoDigitYear: true };
    return { kind: "number", field, min: count, max: count < 4 ? 19 : 10, isTwoDigitYear: false };
  }
  return {
    kind: "number",
    field,
    min: count,
    max: count === 1 ? 19 : count,
    isTwoDigitYear: false,
  };
}

/**
 * Gives a number directly before another number its minimal width, like Java's adjacent value
 * parsing.
 */
function widenAdjacent(elements: readonly Element[]): Element[] {
  return elements.map((element, i) => {
    if (element.kind === "optional")
      return { ...element, elements: widenAdjacent(element.elements) };
    if (element.kind !== "number" || element.max === element.min) return element;
    const next = elements[i + 1];
    const isAdjacent =
      next?.kind === "number" || (next?.kind === "fraction" && next.separators === "");
    return isAdjacent ? { ...element, max: Math.max(element.min, 1) } : element;
  });
}

function invalid(pattern: string, why: string): Error {
  return illegalArgument(`Invalid format: [${pattern}]: ${why}`, {
    type: "illegal_argument_exception",
    reason: why,
    status: 400,
  });
}
