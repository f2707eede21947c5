/** Work on one hit after the other: it rests, and texts that are made for a hit take from the budget before they are made. */
import type { Budget } from "./budget.ts";
import type { Rest } from "./steps.ts";

/** A character is kept as one or two bytes, and is printed as up to six. */
const CHAR_BYTES = 8;

export class HitWork {
  readonly budget: Budget;
  readonly rest: Rest;
  private held = 0;

  constructor(budget: Budget, rest: Rest) {
    this.budget = budget;
    this.rest = rest;
  }

  /** Takes the memory of a text of so many characters; negative: gives it back. */
  holdText(chars: number): void {
    this.held += chars * CHAR_BYTES;
    this.budget.hold(chars * CHAR_BYTES);
  }

  /** The hit is made, and what it holds is counted: its texts go. */
  release(): void {
    this.budget.hold(-this.held);
    this.held = 0;
  }
}
