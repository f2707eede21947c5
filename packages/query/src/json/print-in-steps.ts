/** Printing of a large answer in steps: its lists are made as they are printed, and other work comes between. */
import { jsonKey } from "@orrery/stdx";
import { dataTooLarge } from "../work/budget.ts";
import { LazyItems, RawJson, type Printable } from "./printable.ts";
import { jsonText } from "./json-text.ts";

/** Half of what a text of the engine may hold: hits, suggestions and braces are printed around it. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** Between two looks at the clock. */
const CHARACTERS_A_LOOK = 16_384;

/** @throws OperationError 429 `circuit_breaking_exception` where the text would be too long. */
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

  private isLookDue(): boolean {
    if (this.length - this.looked < CHARACTERS_A_LOOK) return false;
    this.looked = this.length;
    return true;
  }

  private add(text: string): void {
    this.length += text.length;
    if (this.length > MOST_CHARACTERS)
      throw dataTooLarge("aggregations", this.length, MOST_CHARACTERS);
    this.parts.push(text);
  }
}

/** Without lists that are made as they are printed, a value is small. */
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
