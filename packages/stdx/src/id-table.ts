/**
 * Values by id, for ids that count up and are removed soon, like those of requests.
 *
 * A `Map` builds a new table every few insertions when entries come and go. Each dead table points to the next, so
 * one of them in the old generation keeps all later ones, with their values, from the young collector.
 */
export interface IdTable<T> {
  readonly size: number;
  get(id: number): T | undefined;
  /** `id` is a safe integer, not negative. */
  set(id: number, value: T): void;
  /** Removes the value and returns it; `undefined`: the table has no value of this id. */
  delete(id: number): T | undefined;
  /** A copy, by ascending id. */
  values(): readonly T[];
}

export function createIdTable<T>(): IdTable<T> {
  return new Table<T>();
}

const FREE = -1;

/**
 * Open addressing with linear probing; the home position of an id is its low bits, so that consecutive ids are
 * adjacent.
 */
class Table<T> implements IdTable<T> {
  size = 0;
  private ids: number[] = Array.from({ length: 16 }, () => FREE);
  private held: (T | undefined)[] = Array.from({ length: 16 }, () => undefined);

  get(id: number): T | undefined {
    const place = this.placeOf(id);
    return this.ids[place] === id ? this.held[place] : undefined;
  }

  set(id: number, value: T): void {
    if (this.size * 2 >= this.ids.length) this.grow();
    const place = this.placeOf(id);
    if (this.ids[place] === FREE) this.size += 1;
    this.ids[place] = id;
    this.held[place] = value;
  }

  delete(id: number): T | undefined {
    let hole = this.placeOf(id);
    if (this.ids[hole] !== id) return undefined;
    const value = this.held[hole];
    const { ids, held } = this;
    const mask = ids.length - 1;
    // Entries behind the hole that were displaced by it move forward, so that probing finds them without tombstones.
    for (let at = (hole + 1) & mask; ids[at] !== FREE; at = (at + 1) & mask) {
      const wanted = (ids[at] ?? 0) % ids.length;
      if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
      ids[hole] = ids[at] ?? FREE;
      held[hole] = held[at];
      hole = at;
    }
    ids[hole] = FREE;
    held[hole] = undefined;
    this.size -= 1;
    return value;
  }

  values(): readonly T[] {
    return this.ids
      .flatMap((id, place) => (id === FREE ? [] : [{ id, place }]))
      .toSorted((a, b) => a.id - b.id)
      .map(({ place }) => this.held[place] as T);
  }

  /** The position of the id, or the free one that it would take. */
  private placeOf(id: number): number {
    const { ids } = this;
    const mask = ids.length - 1;
    let place = id % ids.length;
    while (ids[place] !== id && ids[place] !== FREE) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const { ids, held } = this;
    const length = ids.length * 2;
    this.ids = Array.from({ length }, () => FREE);
    this.held = Array.from({ length }, () => undefined);
    this.size = 0;
    for (const [place, id] of ids.entries()) if (id !== FREE) this.set(id, held[place] as T);
  }
}
