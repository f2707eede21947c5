/**
 * INV-ENGINE-3: no node logs an error that the JavaScript engine or an assertion of the program threw. Handlers of such
 * errors (in a request, a copy, a node) only limit the damage. Errors of disks, peers and requests have types of their
 * own.
 */
import type { Checker } from "./checker.ts";

/** Names of such errors, without `DiskError` and its like: these have a letter in front of `Error`. */
const thrownByTheProgram =
  /(?:^|[^A-Za-z])((?:Type|Range|Reference|Syntax|URI|Assertion)?Error: [^\n]*)/;

export const nothingIsUnforeseen: Checker = {
  name: "nothing-is-unforeseen",
  invariant: "INV-ENGINE-3",
  says: "No node logs an error that only a bug of the program can throw.",
  excusedBy: [],
  isAlways: true,
  start: () => (event) => {
    if (event.kind !== "log") return undefined;
    const [, thrown] = thrownByTheProgram.exec(event.message) ?? [];
    return thrown === undefined ? undefined : `${event.node} met ${thrown}`;
  },
};
