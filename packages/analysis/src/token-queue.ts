/** Tokens that wait for those behind them: first in, first out, at a cost that does not grow with their number. */
import { defined } from "@orrery/stdx";

/** Places that were left are given back when there are so many, and no fewer than are in use. */
const MANY_LEFT = 1024;

export class TokenQueue<Item> {
  private items: Item[] = [];
  private start = 0;

  get length(): number {
    return this.items.length - this.start;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  at(index: number): Item {
    return defined(this.items[this.start + index], "an item of the queue");
  }

  first(count: number): Item[] {
    return this.items.slice(this.start, this.start + count);
  }

  drop(count: number): void {
    this.start += count;
    if (this.start < MANY_LEFT || this.start < this.length) return;
    this.items = this.items.slice(this.start);
    this.start = 0;
  }
}
