/**
 * Prints a large response in steps. Its lists are made while they are printed, and other work runs
 * between the steps.
 */
import { jsonKey } from "@orrery/stdx";
import { dataTooLarge } from "../work/budget.ts";
import { LazyItems, RawJson, type Printable } from "./printable.ts";
import { jsonText } from "./json-text.ts";

/**
 * Half the engine's limit of a string: hits, suggestions and braces are printed around this text.
 */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** The characters between two checks of the clock. */
const CHARACTERS_A_LOOK = 16_384;

/**
 * Prints a value as JSON in steps; yields when `isTurnOver` returns true.
 * @throws OperationError 429 `circuit_breaking_exception` if the text is too long
 */
export function* jsonTextSteps(
  value: Printable,
  isTurnOver: () => boolean,
): Generator<undefined, string> {
  const printer = new StepPrinter(isTurnOver);
  yield* printer.print(value);
  return printer.text();
}

class StepPrinter {
  private readonly isTurnOver: () => boolean;
  private readonly parts: string[] = [];
  private length = 0;
  /** The length at the last check of the clock. */
  private looked = 0;

  constructor(isTurnOver: () => boolean) {
    this.isTurnOver = isTurnOver;
  }

  text(): string {
    return this.parts.join("");
  }

  *print(value: Printable): Generator<undefined, void> {
    if (value instanceof LazyItems) yield* this.printItems(value);
    else if (isMembers(value)) yield* this.printMembers(value);
    else this.add(jsonText(value));
  }

  private *printItems(items: LazyItems): Generator<undefined, void> {
    const { key } = items;
    this.add(key === undefined ? "[" : "{");
    for (let i = 0; i < items.length; i += 1) {
      if (i > 0) this.add(",");
      if (key !== undefined) this.add(jsonKey(key(i)));
      const item = items.at(i);
      if (holdsItems(item)) yield* this.print(item);
      else this.add(jsonText(item));
      if (this.isLookDue() && this.isTurnOver()) yield undefined;
    }
    this.add(key === undefined ? "]" : "}");
  }

  private *printMembers(value: { readonly [key: string]: Printable }): Generator<undefined, void> {
    let separator = "{";
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      this.add(separator + jsonKey(key));
      separator = ",";
      if (holdsItems(item)) yield* this.print(item);
      else this.add(jsonText(item));
      if (this.isLookDue() && this.isTurnOver()) yield undefined;
    }
    this.add(separator === "{" ? "{}" : "}");
  }

  /** True if the clock should be checked. */
  private isLookDue(): boolean {
    if (this.length - this.looked < CHARACTERS_A_LOOK) return false;
    this.looked = this.length;
    return true;
  }

  /** @throws OperationError 429 */
  private add(text: string): void {
    this.length += text.length;
    if (this.length > MOST_CHARACTERS)
      throw dataTooLarge("aggregations", this.length, MOST_CHARACTERS);
    this.parts.push(text);
  }
}

/** True if the value contains `LazyItems`. Any other value is small enough to print at once. */
function holdsItems(value: Printable): boolean {
  if (value instanceof LazyItems) return true;
  return isMembers(value) && Object.values(value).some(holdsItems);
}

function isMembers(value: Printable): value is { readonly [key: string]: Printable } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RawJson) &&
    !(value instanceof LazyItems)
  );
}
