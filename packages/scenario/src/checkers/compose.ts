/**
 * Table of checkers, composed once for a program from those of the core and of plugins. Parser, runs, exploration and
 * the schema receive it.
 */
import { assert } from "@orrery/stdx";
import type { Checker } from "./checker.ts";
import { coreRows } from "./table.ts";

/** Checkers by name, in the order in which they judge. */
export type Checkers = ReadonlyMap<string, Checker>;

/**
 * Adds checkers of plugins to those of the core. Duplicate names, or an `after` that names no checker, are bugs of the
 * program and throw.
 */
export function composeCheckers(added: readonly Checker[]): Checkers {
  const rows: Checker[] = [...coreRows];
  for (const row of added) {
    const { name, after } = row;
    assert(!rows.some((other) => other.name === name), `two checkers have the name [${name}]`);
    const place = rows.findIndex((other) => other.name === after);
    assert(after === undefined || place >= 0, `[${name}] stands behind no checker [${after}]`);
    rows.splice(after === undefined ? rows.length : place + 1, 0, row);
  }
  return new Map(rows.map((row) => [row.name, row]));
}

/** Table without plugins. */
export const coreCheckers: Checkers = composeCheckers([]);

/** Checker of this name. A plan names only checkers of the table that it was read with, so an unknown name throws. */
export function checkerOf(checkers: Checkers, name: string): Checker {
  const checker = checkers.get(name);
  assert(checker !== undefined, `the table has no checker [${name}] that the plan was read with`);
  return checker;
}
