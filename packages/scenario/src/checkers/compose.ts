/**
 * Table of checkers, composed once for a program: rows of the core and those of plugins. Parser, runs, exploration and the schema are
 * given it.
 */
import { assert } from "@orrery/stdx";
import type { Checker } from "./checker.ts";
import { coreRows } from "./table.ts";

/** By their names, in the order in which they judge. */
export type Checkers = ReadonlyMap<string, Checker>;

/** Two checkers of one name, and a place behind a checker that is not there, are bugs of the program that composes them. */
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

/** The table without plugins. */
export const coreCheckers: Checkers = composeCheckers([]);

/** A plan that was read with a table names checkers of that table only. */
export function checkerOf(checkers: Checkers, name: string): Checker {
  const checker = checkers.get(name);
  assert(checker !== undefined, `the table has no checker [${name}] that the plan was read with`);
  return checker;
}
