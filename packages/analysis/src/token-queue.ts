/** A FIFO queue of tokens with constant amortized cost per operation. */
import { defined } from "@orrery/stdx";

/** Dropped slots are released when there are at least this many, and no fewer than slots in use. */
const MANY_LEFT = 1024;

/** A queue of tokens. `at` and `first` count positions from its head. */
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
