/**
 * Work on hits, one after the other: it rests between them, and charges texts that are built for a
 * hit before they exist.
 */
import type { Budget } from "./budget.ts";
import type { Rest } from "./steps.ts";

/** A character takes one or two bytes in memory and up to six when it is printed. */
const CHAR_BYTES = 8;

/** The budget of a fetch, and the texts of the current hit. */
export class HitWork {
  readonly budget: Budget;
  readonly rest: Rest;
  private held = 0;

  constructor(budget: Budget, rest: Rest) {
    this.budget = budget;
    this.rest = rest;
  }

  /** Charges a text of this many characters; negative numbers release it. */
  holdText(chars: number): void {
    this.held += chars * CHAR_BYTES;
    this.budget.hold(chars * CHAR_BYTES);
  }

  /** Releases the texts of a finished hit, which is charged as a whole from then on. */
  release(): void {
    this.budget.hold(-this.held);
    this.held = 0;
  }
}
