/**
 * INV-ENGINE-3: no node logs an error that the language or an assertion of the program has thrown. Whoever catches such an error (a
 * request, a copy, a node) only limits the damage. Errors of disks, peers and requests have types of their own.
 */
import type { Checker } from "./checker.ts";

/** Not `DiskError` and its like: a letter stands before their `Error`. */
const thrownByTheProgram =
  /(?:^|[^A-Za-z])((?:Type|Range|Reference|Syntax|URI|Assertion)?Error: [^\n]*)/;

export const nothingIsUnforeseen: Checker = {
  name: "nothing-is-unforeseen",
  invariant: "INV-ENGINE-3",
  says: "No node logs an error that only a bug of the program throws.",
  excusedBy: [],
  isAlways: true,
  start: () => (event) => {
    if (event.kind !== "log") return undefined;
    const [, thrown] = thrownByTheProgram.exec(event.message) ?? [];
    return thrown === undefined ? undefined : `${event.node} met ${thrown}`;
  },
};
